import type { OutputField } from '../../engine/results';
import { LOOKUPS, type Section } from './lookups';

/** Fields of a section that only repeat the input or another section. Flat Columns leaves them out. */
const REPEATED: Record<Section, string[]> = {
	phone: [],
	callerId: ['phoneNumber', 'lineType', 'carrier', 'countryCode'],
	whatsApp: ['phoneNumber', 'extension', 'onWhatsApp'],
	email: ['mailboxExists'],
	geoIp: ['ipAddress'],
};

/** A section as a field of the output, with its own fields. */
export function sectionField(section: Section): OutputField {
	const { operation, name } = LOOKUPS[section];
	const own = operation.output.filter(({ simplified }) => simplified);
	const fields = [textField('outcome', true), ...own.map(withoutRepeated(section))];
	fields.push(textField('reason', false), textField('source', false));
	const example = Object.fromEntries(own.map((field) => [field.name, field.example]));
	return {
		name: section,
		type: 'object',
		description: `${name}: outcome, ${own.map((field) => field.name).join(', ')}, reason, source. Unknown fields are left out.`,
		example: { outcome: 'positive', ...example, source: 'service' },
		simplified: true,
		isLookup: true,
		fields,
	};
}

function withoutRepeated(section: Section) {
	return (field: OutputField): OutputField => ({
		...field,
		simplified: !REPEATED[section].includes(field.name),
	});
}

/** A field that every section has. */
function textField(name: string, simplified: boolean): OutputField {
	return { name, type: 'string', description: '', example: '', simplified };
}
