/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { parseLeads } from '../../scripts/demo/csv';
import { UPLOAD, withUpload } from '../../scripts/demo/upload';
import type { WorkflowJson } from '../harness/n8n';
import { release, runWorkflow } from '../harness/n8n';
import { recipesIn } from '../harness/recipesPage';
import { storiesOn } from '../harness/stories';

const FILE = 'enrich-leads-from-a-csv-file.json';
const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

describe(`the example workflow on n8n ${release}`, () => {
	const on = storiesOn();

	const run = async (csv: string) =>
		await runWorkflow({
			workflow: withUpload(JSON.parse(read(`examples/workflows/${FILE}`)) as WorkflowJson, csv),
			startNode: UPLOAD,
			credentials: on.credentials(),
		});
	const paid = () => on.service().log;
	const HEADER = 'name,phone,email,ip,country';

	it('writes the results into flat columns', async () => {
		const { status, error, items } = await run(
			`\ufeff${HEADER}\nA,+442079460018,catch@catch-all.example,8.8.8.8,\nB,ask me,,,\n`,
		);
		expect([status, error?.message]).toEqual(['success', undefined]);
		const [first, second] = items('Enriched Leads').map(({ json }) => json);
		expect(first).toMatchObject({
			...{
				name: 'A',
				phone: '+442079460018',
				contactResult_phone_outcome: 'positive',
				contactResult_email_outcome: 'unknown',
			},
			...{
				contactResult_phone_lineType: 'landline',
				contactResult_phone_carrier: null,
				contactResult_phone_countryCode: 'GB',
			},
			...{
				contactResult_whatsApp_outcome: 'negative',
				contactResult_geoIp_outcome: 'positive',
				contactResult_reason: expect.stringMatching(/accepts every address/) as string,
			},
			...{ contactResult_outcome: 'positive', contactResult_channels: 'phone' },
		});
		expect(second).toMatchObject({
			...{
				name: 'B',
				phone: 'ask me',
				contactResult_phone_outcome: 'negative',
				contactResult_email_outcome: null,
			},
			contactResult_reason: expect.stringMatching(/has no digits$/),
		});
		for (const one of [first, second]) expect(one).not.toHaveProperty('contactResult');
	});

	it('finds the columns of a CRM by their names, and finds the separator', async () => {
		const { items } = await run(
			'Full Name;Mobile;Work Email;Last IP;Notes\nA, B;+442079460018;a@example.com;8.8.8.8;x\n',
		);
		expect(items('Enriched Leads').map(({ json }) => json)).toMatchObject([
			{
				...{
					'Full Name': 'A, B',
					Mobile: '+442079460018',
					Notes: 'x',
					contactResult_channels: 'phone, email',
				},
				...{
					contactResult_phone_outcome: 'positive',
					contactResult_email_outcome: 'positive',
					contactResult_geoIp_outcome: 'positive',
				},
			},
		]);
	});

	it('looks up the first filled column of several, in each row, as npm start does', async () => {
		const csv =
			'Home Phone,Mobile,phone,Personal Email,Work Email\n' +
			',+12025550102,+442079460018,,\n+12025550103,+12025550102, ,a@example.com,\n+12025550104,,,a@example.com,b@example.com\n';
		const { items } = await run(csv);
		const read = parseLeads(csv, 'f').leads.map(({ values }) => values);
		const first = [
			{ phone: '+12025550102', email: '' },
			{ phone: '+12025550103', email: 'a@example.com' },
			{ phone: '+12025550104', email: 'a@example.com' },
		];
		expect(items('Lead').map(({ json }) => json.asked)).toMatchObject(first);
		expect(read).toMatchObject(first);
	});

	const PHONE = '+442079460018';
	it.each([
		['semicolons', `Notes;phone\nx, y;${PHONE}\n`],
		['tabs', `phone\tNotes\n${PHONE}\tx; y, z\n`],
		['bars', `phone|Notes\n${PHONE}|x\n`],
		['a sep= line', `sep=;\r\nphone;Notes\r\n${PHONE};x\r\n`],
		['any separator that sep= names', `"sep=:"\nphone:Notes\n${PHONE}:x\n`],
		['separators inside quoted headers', `"phone";"a,b,c,d"\n${PHONE};x\n`],
		['a header of known names around others', `a, b, c, d;phone\nx;${PHONE}\n`],
		['one column', `phone\n${PHONE}\n`],
	])('reads as npm start does a file with %s', async (_, csv) => {
		for (const text of [csv, `\ufeff${csv}`]) {
			const { items } = await run(text);
			expect(items('Lead').map(({ json }) => json.asked)).toMatchObject([{ phone: PHONE }]);
		}
		expect(parseLeads(csv, 'f').leads).toMatchObject([{ values: { phone: PHONE } }]);
	});

	it.each([
		['German', 'Vorname;Nachname;Telefon-Nr.;E-Mail-Adresse;Land'],
		['French', 'Prénom;Nom;Téléphone portable;Courriel;Pays'],
		['Spanish', 'Nombre;Apellidos;Teléfono;Correo electrónico;País'],
		['Portuguese', 'Nome;Apelido;Telemóvel;Endereço de e-mail;PAÍS'],
		['Italian', 'Nome;Cognome;Cellulare;Posta elettronica;Paese'],
		['Dutch', 'Voornaam;Achternaam;Telefoonnummer;E-mailadres;Land'],
	])('finds %s columns, as npm start does', async (_, header) => {
		// Accents come as one character or as two
		for (const form of ['NFC', 'NFD']) {
			const csv = `${header.normalize(form)}\nAda;Lovelace;020 7946 0018;a@example.com;GB\n`;
			const asked = { phone: '020 7946 0018', email: 'a@example.com', country: 'GB' };
			const { items } = await run(csv);
			expect(items('Lead').map(({ json }) => json.asked)).toMatchObject([asked]);
			const [{ values }] = parseLeads(csv, 'f').leads;
			expect(values).toEqual({ ...asked, name: 'Ada Lovelace', ip: '' });
		}
	});

	it.each([
		[`${HEADER}\n`, /no rows below its header/],
		['Nr,x\n1,2\n', /Its header is "Nr", "x"\. Name a column phone, email or ip\. You/],
		['Nr:phone\n1:2\n', /Its header is "Nr:phone".*Separate its cells by commas, semicolons, tabs/],
	])(
		'says why it pays for nothing of a file without rows or a known column (%j)',
		async (csv, words) => {
			const { error } = await run(csv);
			expect(error?.message).toMatch(words);
			expect(error?.message).toMatch(/You weren't charged\.$/);
			expect(paid()).toEqual([]);
		},
	);

	it('costs what docs/RECIPES.md says for examples/leads.csv', async () => {
		const { status } = await run(read('examples/leads.csv'));
		expect(status).toBe('success');
		const recipe = recipesIn(read('docs/RECIPES.md')).find(
			({ workflows }) => workflows[0] === FILE,
		);
		const spent = Object.entries(on.service().spent(on.service().keys.main));
		const charged = spent.filter(([, credits]) => credits > 0);
		expect(Object.fromEntries(charged)).toEqual(recipe!.costs);
		const answered = paid().filter(({ status = 500 }) => status < 400).length;
		const total = Object.values(recipe!.costs).reduce((sum, credits) => sum + credits, 0);
		expect(read('docs/RECIPES.md').replaceAll('\n', ' ')).toContain(
			`${answered} paid calls: ${total} are charged, and ${answered - total} are free`,
		);
	});

	it('pays for no WhatsApp check of a number that is invalid', async () => {
		const numbers = ['555-0142', '+12025550102', '(202) 555-0102', ''];
		const { items } = await run(
			`${HEADER}\n${numbers.map((number) => `A,${number},,,US`).join('\n')}\n`,
		);
		const checks = on.service().log.filter(({ path }) => path.endsWith('/checkwanumber'));
		expect(checks.map(({ query }) => query.number)).toEqual(['+12025550102']);
		const sources = items('Enrich Lead').map(
			({ json }) => ((json.contactResult as IDataObject).whatsApp as IDataObject | null)?.source,
		);
		expect(sources).toEqual(['local', 'service', 'duplicate', undefined]);
	});

	it('asks WhatsApp about the number as given where its validation is unknown', async () => {
		on.service().fault({ kind: 'status', status: 500, path: 'phonevalidation', times: 1 });
		await run(`${HEADER}\nA,+12025550102,,,\nB,+12025550103,,,\n`);
		const checks = on.service().log.filter(({ path }) => path.endsWith('/checkwanumber'));
		expect(checks.map(({ query }) => query.number).sort()).toEqual([
			'+12025550102',
			'+12025550103',
		]);
	});
});
