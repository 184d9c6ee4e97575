import type { IPollFunctions } from 'n8n-workflow';
import { triggerProperties } from '../../../nodes/LookupMessagingTrigger/properties';
import { readTriggerSettings } from '../../../nodes/LookupMessagingTrigger/settings';
import { READ_TYPES, spellingsOf, unreadable } from '../../models/hostile/spellings';

/** The settings of a trigger with these parameters. */
function settingsWith(given: object) {
	const parameters: Record<string, unknown> = {
		...{ resource: 'batch', jobsToWatch: 'all', options: {}, ...given },
	};
	const context = {
		getNode: () => ({ parameters }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as IPollFunctions;
	return readTriggerSettings(context);
}

const OF_BATCHES = triggerProperties.filter(
	({ name, type, displayOptions }) =>
		READ_TYPES.includes(type) &&
		name !== 'resource' &&
		(displayOptions?.show?.resource ?? ['batch']).includes('batch'),
);

test.each(OF_BATCHES.map((property) => [property.displayName, property] as const))(
	'%s of the trigger is read in every spelling, or refused',
	(displayName, property) => {
		for (const [value, spellings] of spellingsOf(property)) {
			for (const spelling of spellings) {
				const read = settingsWith({ [property.name]: spelling });
				if (property.type === 'options' && spelling !== value) {
					// A choice is read to the letter
					expect('failure' in read && read.failure.reason).toContain(displayName);
					continue;
				}
				expect(read).toEqual(settingsWith({ [property.name]: value }));
				if (property.name !== 'jobsToWatch') expect(read).not.toHaveProperty('failure');
			}
		}
		for (const wrong of unreadable(property)) {
			const read = settingsWith({ [property.name]: wrong });
			expect('failure' in read && read.failure.reason).toContain(displayName);
		}
	},
);

test('Job IDs with more entries than one field takes are refused', () => {
	const read = (count: number) =>
		settingsWith({ jobsToWatch: 'byId', jobIds: 'b\n'.repeat(count) });
	expect(read(10_000)).toHaveProperty('jobIds.length', 10_000);
	expect(read(10_001)).toMatchObject({
		failure: { reason: expect.stringMatching(/^Job IDs has 10,001 entries, more than/) as string },
	});
});

test.each(['fax', 'constructor', ''])('a trigger on %j starts nothing', (resource) => {
	expect(settingsWith({ resource })).toHaveProperty('failure');
});
