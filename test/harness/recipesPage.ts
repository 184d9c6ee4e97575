/** What docs/RECIPES.md says about the example workflows. */
interface Recipe {
	title: string;
	/** File names in examples/workflows; the first is the one whose costs are told. */
	workflows: string[];
	/** File names in docs/images. */
	pictures: string[];
	/** What one run of it costs as it is shipped: paid calls that were charged, by the sandbox's balances. */
	costs: Record<string, number>;
	/** Whether a run costs nothing, as "**A run costs** nothing." says. */
	isFree: boolean;
}

/** The page's words for the balances. */
const BALANCES: Record<string, string> = {
	...{ phone: 'phone', email: 'email', WhatsApp: 'whatsapp', GeoIP: 'geoip', audit: 'audit' },
};

/** The numbered sections of the page. */
export function recipesIn(page: string): Recipe[] {
	const sections = page.split(/^## (?=\d+\. )/m);
	return sections.slice(1).map((section) => ({
		title: section.split('\n')[0].replace(/^\d+\. /, ''),
		workflows: namesIn(section, /\(\.\.\/examples\/workflows\/([\w-]+\.json)\)/g),
		pictures: namesIn(section, /\(images\/([\w-]+\.png)\)/g),
		costs: costsIn(section),
		isFree: /^\*\*A run costs\*\* nothing\./m.test(section),
	}));
}

function namesIn(text: string, pattern: RegExp): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
}

/** Reads "**A run costs** 3 phone credits, 2 WhatsApp calls": numbers before the names of balances, up to the full stop. */
function costsIn(section: string): Record<string, number> {
	const [, sentence = ''] = section.match(/^\*\*A run costs\*\* ([^.]*)\./m) ?? [];
	const found = sentence.matchAll(/(\d+) (phone|email|WhatsApp|GeoIP|audit)\b/g);
	return Object.fromEntries([...found].map(([, number, name]) => [BALANCES[name], Number(number)]));
}
