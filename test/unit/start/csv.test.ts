import { readMapping } from '../../../scripts/demo/columns';
import { parseLeads } from '../../../scripts/demo/csv';
import { decodeUtf8 } from '../../../scripts/demo/decodeUtf8';

const read = (text: string, columns: string[] = []) =>
	parseLeads(text, 'leads.csv', readMapping(columns));
const EMPTY = { name: '', phone: '', email: '', ip: '', country: '' };

describe('a file of leads', () => {
	const readable: Array<[what: string, text: string, values: object, separator: string]> = [
		['commas', 'name,phone\nA,1', { name: 'A', phone: '1' }, ','],
		['semicolons around commas', 'name;phone\nB, A;1', { name: 'B, A', phone: '1' }, ';'],
		['tabs', 'email\tname\na@b.c\tB, A; C', { name: 'B, A; C', email: 'a@b.c' }, '\t'],
		['a sep= line', 'sep=;\r\nphone;name\r\n1;A\r\n', { name: 'A', phone: '1' }, ';'],
		['any separator that sep= names', '"sep=|"\nip|name\n::1|A', { name: 'A', ip: '::1' }, '|'],
		[
			'other spellings',
			'Full Name;E-Mail;IP Address;PHONE_NUMBER;Country-Code\nA;e;i;p;c',
			{ name: 'A', email: 'e', ip: 'i', phone: 'p', country: 'c' },
			';',
		],
		[
			'the names of a CRM',
			'Mobile,Work Email,Last IP,Country/Region,First Name,Last Name\np,e,i,c,Ada,Lovelace',
			{ name: 'Ada Lovelace', email: 'e', ip: 'i', phone: 'p', country: 'c' },
			',',
		],
		['the plain name empty beside another', 'Mobile,Phone\n1, ', { phone: '1' }, ','],
		[
			'several columns that fit',
			'Home Phone,E-Mail,email,Cell\n1,,a@b.c,2',
			{ phone: '1', email: 'a@b.c' },
			',',
		],
		['quoted cells', 'phone,name\n1,"a ""b"", c\nd"', { phone: '1', name: 'a "b", c\nd' }, ','],
	];
	it.each(readable)('may have %s', (_, text, values, separator) => {
		const file = read(text);
		expect(file.leads.map((lead) => lead.values)).toEqual([{ ...EMPTY, ...values }]);
		expect(file.separator).toBe(separator);
	});

	it("keeps the user's columns in their order and spelling, and counts rows as spreadsheets do", () => {
		const { columns, leads } = read('Notes, Phone ,E-Mail\n\n x,1,\n,,\n=1,,a@b.c\n');
		expect(columns).toEqual(['Notes', 'Phone', 'E-Mail']);
		expect(leads.map(({ row, cells }) => [row, ...cells])).toEqual([
			[3, ' x', '1', ''],
			[5, '=1', '', 'a@b.c'],
		]);
	});

	const mapped: Array<[what: string, columns: string[], values: object]> = [
		['names', ['phone=Handy,email=Post 2'], { phone: 'a', email: 'c', ip: 'd' }],
		['names in quotes', ['phone="Handy"', "email='post 2'"], { phone: 'a', email: 'c', ip: 'd' }],
		['a name with a comma', ['phone=Nr, alt,email=Post 2'], { phone: 'b', email: 'c', ip: 'd' }],
		['what to leave out', ['phone=Handy,ip='], { phone: 'a', email: '' }],
	];
	it.each(mapped)('is read as --columns says: %s', (_, columns, values) => {
		const file = read('Handy;Nr, alt;Post 2;Last IP\na;b;c;d', columns);
		expect(file.leads.map((lead) => lead.values)).toEqual([{ ...EMPTY, ...values }]);
	});

	const wrong: Array<[what: string, columns: string, complaint: RegExp]> = [
		['a column that is not there', 'phone=Mobil', /no column "Mobil" for the phone.*"Phone", "x"/],
		['an unknown key', 'mobile=Phone', /takes name, phone, email, ip and country, as in --columns/],
		['no assignment', 'Phone', /"Phone" isn't one of them/],
		['a key twice', 'phone=Phone,phone=x', /names the phone number twice/],
	];
	it.each(wrong)('is refused when --columns has %s', (_, columns, complaint) => {
		expect(() => read('Phone,x\n1,2', [columns])).toThrow(complaint);
	});

	const refused: Array<[what: string, text: string, complaint: RegExp]> = [
		['nothing', ' \n', /is empty/],
		['no rows', 'phone,name\n,\n', /no rows below its header/],
		[
			'none of the columns',
			'Anna,+1 202\nBob,',
			/no column for a phone number, email address or an IP address.*"Anna", "\+1 202"[^]*Mobile[^]*Work Email[^]*Last IP[^]*--columns phone=/,
		],
		['a name twice', 'phone,x,x\n1,2,3', /two columns called "x"/],
		['more cells than columns', 'name,phone\nA,B,1', /Row 2 .* 3 cells, and the header has 2/],
		['an open quote', 'phone\n"1', /not a readable CSV file/],
	];
	it.each(refused)('is refused with %s', (_, text, complaint) => {
		expect(() => read(text)).toThrow(complaint);
	});
});

describe('the bytes of a file', () => {
	it('are text in UTF-8, with or without a byte order mark', () => {
		expect(decodeUtf8(Buffer.from('\ufeffMüller'), 'f')).toBe('Müller');
		expect(decodeUtf8(Buffer.from('Müller'), 'f')).toBe('Müller');
	});

	const others: Array<[what: string, bytes: Buffer, complaint: RegExp]> = [
		['Latin-1', Buffer.from('Müller', 'latin1'), /another encoding/],
		['UTF-16', Buffer.from('\ufeffphone', 'utf16le'), /UTF-16/],
		['UTF-16 without its mark', Buffer.from('phone', 'utf16le'), /UTF-16/],
		['a workbook', Buffer.from('PK\u0003\u0004…'), /workbook/],
		['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook/],
	];
	it.each(others)('are refused when they are %s', (_, bytes, complaint) => {
		expect(() => decodeUtf8(bytes, 'f')).toThrow(complaint);
		expect(() => decodeUtf8(bytes, 'f')).toThrow(
			/Save it as "CSV UTF-8", then run it again\. You weren't charged\.$/,
		);
	});
});
