import Table from 'cli-table3';

/** Thrown by a check that cannot run here, such as one that needs a browser where there is none. */
export class Skipped extends Error {}

/** The two releases of n8n that the package supports. */
export const RELEASES = ['2.x', '1.x'] as const;
export type Release = (typeof RELEASES)[number];

interface Row {
	release: Release;
	suite: string;
	check: string;
	result: 'ok' | 'FAILED' | 'skipped';
	detail: string;
	seconds: number;
}

/** Every check of this run. A check that fails or is skipped never keeps the next one from running. */
export class Report {
	private readonly rows: Row[] = [];

	/** The checks of one suite on one release. */
	section(release: Release, suite: string): Section {
		return new Section((check, run) => this.run(release, suite, check, run));
	}

	get failures(): number {
		return this.count('FAILED');
	}

	get isEmpty(): boolean {
		return this.rows.length === 0;
	}

	table(): string {
		const table = new Table({ head: ['n8n', 'suite', 'check', 'result', 's', ''], style: PLAIN });
		for (const { release, suite, check, result, seconds, detail } of this.sorted())
			table.push([release, suite, check, result, seconds.toFixed(0), firstLine(detail)]);
		return table.toString();
	}

	/** Such as "41 ok, 1 FAILED, 2 skipped". */
	summary(): string {
		const counts = (['ok', 'FAILED', 'skipped'] as const).map((result) => [
			this.count(result),
			result,
		]);
		return counts.map((pair) => pair.join(' ')).join(', ');
	}

	/** By release and suite, in the order in which the checks ran. */
	private sorted(): Row[] {
		const groups = this.rows.map(({ release, suite }) => `${release} ${suite}`);
		const rank = (row: Row) =>
			RELEASES.indexOf(row.release) * this.rows.length +
			groups.indexOf(`${row.release} ${row.suite}`);
		return [...this.rows].sort((a, b) => rank(a) - rank(b));
	}

	private count(result: Row['result']): number {
		return this.rows.filter((row) => row.result === result).length;
	}

	private async run(release: Release, suite: string, check: string, run: Check): Promise<boolean> {
		const startedMs = Date.now();
		let result: Row['result'] = 'ok';
		let detail = '';
		try {
			detail = (await run()) || '';
		} catch (error) {
			result = error instanceof Skipped ? 'skipped' : 'FAILED';
			detail = error instanceof Error ? error.message : String(error);
			if (result === 'FAILED') console.error(error);
		}
		const seconds = (Date.now() - startedMs) / 1000;
		this.rows.push({ release, suite, check, result, detail, seconds });
		console.log(
			`${result.padEnd(8)} ${release} ${suite}: ${check} (${seconds.toFixed(1)} s) ${detail}`,
		);
		return result === 'ok';
	}
}

/** What a check does: it throws where it fails, and may return a figure for the table. */
type Check = () => Promise<string | void>;

export class Section {
	constructor(private readonly run: (check: string, run: Check) => Promise<boolean>) {}

	/** @returns whether it passed */
	async check(title: string, run: Check): Promise<boolean> {
		return await this.run(title, run);
	}

	/** A row that says why something did not run. */
	async skip(title: string, why: string): Promise<void> {
		await this.run(title, async () => {
			throw new Skipped(why);
		});
	}
}

const PLAIN = { head: [], border: [], compact: true };
const DETAIL_WIDTH = 110;

function firstLine(text: string): string {
	const [line] = text.trim().split('\n');
	return line.length > DETAIL_WIDTH ? `${line.slice(0, DETAIL_WIDTH - 1)}…` : line;
}
