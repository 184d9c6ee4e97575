import { expectationOf, isNeeded, type Expectation } from './expectation';
import { isE164 } from './oracle';
import type { Asked, PhoneReader } from './phoneReaders';
import type { Writing } from './spellings';

/** Compares what the node looks up for writings with what it may, and counts. */

/** What must not happen. */
export const FLAWS = [
	'false refusals',
	'other readings',
	'requests that are neither E.164 nor national',
	'different numbers under one key',
	'numbers against a rule of their writings',
] as const;
type Flaw = (typeof FLAWS)[number];

type Rule = (number: string, region?: string) => boolean;

/** One case of a flaw. */
interface Finding {
	flaw: Flaw;
	reader: string;
	writing: Writing;
	asked: Asked | string;
	expected: string;
}

/** Findings of a flaw that are kept, since one mistake has thousands. */
const MAX_FINDINGS = 20;

export class Comparison {
	writings = 0;
	/** Readings of one number that must or may be asked, and those of them that share the answer of its E.164 spelling. */
	equal = 0;
	shared = 0;
	/** Numbers in E.164 that were held against a rule. */
	ruled = 0;
	readonly findings: Finding[] = [];
	/** The names of the decisions that were needed. */
	readonly decided = new Set<string>();
	/** By reader, what each key stands for. */
	private readonly numberOf = new Map<PhoneReader, Map<string, string>>();
	/** By reader, the keys of numbers in E.164. */
	private readonly keyOf = new Map<PhoneReader, Map<string, string | undefined>>();

	/**
	 * Has the readers read a writing.
	 * @param isRight a rule for what is looked up in E.164, that does not come from libphonenumber's reading of the text
	 */
	compare(writing: Writing, readers: PhoneReader[], isRight?: Rule): void {
		const expected = expectationOf(writing);
		this.writings += 1;
		this.note(expected);
		for (const reader of readers) {
			const asked = reader.read(writing.phoneNumber, writing.country?.written);
			const flaw = flawOf(asked, expected, reader);
			if (flaw)
				this.find({ flaw, reader: reader.name, writing, asked, expected: inWords(expected) });
			if (isRight) this.holdAgainst(isRight, writing, asked, reader);
			this.compareKeys(writing, asked, expected, reader);
		}
	}

	/** Notes which decisions were needed. That of a rewrite takes two readings, once. */
	private note({ decision, rewrites }: Expectation): void {
		if (decision) this.decided.add(decision.name);
		for (const rewrite of rewrites) {
			const { name } = rewrite.decision;
			if (!this.decided.has(name) && isNeeded(rewrite)) this.decided.add(name);
		}
	}

	/** The share of equal spellings that are asked once, in percent. */
	get percentShared(): number {
		return Math.floor((10_000 * this.shared) / this.equal) / 100;
	}

	private holdAgainst(isRight: Rule, writing: Writing, asked: Asked, reader: PhoneReader): void {
		if ('local' in asked || !asked.number.startsWith('+')) return;
		this.ruled += 1;
		if (isRight(asked.number, writing.country?.region)) return;
		const flaw = 'numbers against a rule of their writings';
		this.find({ flaw, reader: reader.name, writing, asked, expected: 'nothing' });
	}

	private compareKeys(
		writing: Writing,
		asked: Asked,
		expected: Expectation,
		reader: PhoneReader,
	): void {
		const [number] = expected.readings;
		const mustBeAsked = number !== undefined && !expected.mayBeLocal;
		if (mustBeAsked || ('key' in asked && asked.number === number)) {
			this.equal += 1;
			if ('key' in asked && asked.key === this.keyOfE164(number, reader)) this.shared += 1;
		}
		if ('local' in asked) return;
		const meant = expected.readings.includes(asked.number)
			? asked.number
			: (number ?? `${expected.digits} in ${expected.region ?? 'no country'}`);
		const numberOf = inner(this.numberOf, reader);
		const other = numberOf.get(asked.key);
		if (other === undefined) numberOf.set(asked.key, meant);
		else if (other !== meant) {
			const flaw = 'different numbers under one key';
			this.find({ flaw, reader: reader.name, writing, asked: other, expected: meant });
		}
	}

	private keyOfE164(number: string, reader: PhoneReader): string | undefined {
		const keys = inner(this.keyOf, reader);
		if (!keys.has(number)) {
			const asked = reader.read(number);
			keys.set(number, 'key' in asked ? asked.key : undefined);
		}
		return keys.get(number);
	}

	private find(finding: Finding): void {
		const alike = this.findings.filter(({ flaw }) => flaw === finding.flaw);
		if (alike.length < MAX_FINDINGS) this.findings.push(finding);
	}
}

function flawOf(
	asked: Asked,
	expected: Expectation,
	{ takesNational }: PhoneReader,
): Flaw | undefined {
	if ('local' in asked) {
		const mayBeLocal = takesNational && expected.mustBeNational ? false : expected.mayBeLocal;
		return mayBeLocal ? undefined : 'false refusals';
	}
	const { number, hint } = asked;
	if (isE164(number) && hint === undefined) {
		return expected.readings.includes(number) ? undefined : 'other readings';
	}
	if (!takesNational || !/^\d+$/.test(number) || !/^[A-Z]{2}$/.test(hint ?? '')) {
		return 'requests that are neither E.164 nor national';
	}
	const isAsWritten = number === expected.digits && hint === expected.region;
	return expected.mayBeNational && isAsWritten ? undefined : 'other readings';
}

function inWords({
	readings,
	mayBeLocal,
	mustBeNational,
	mayBeNational,
	digits,
	region,
}: Expectation): string {
	const national = mayBeNational ? [`${digits} with the hint ${region}`] : [];
	const local = mayBeLocal && !mustBeNational ? ['nothing'] : [];
	return [...readings, ...national, ...local].join(', or ');
}

function inner<Key, Value>(maps: Map<Key, Map<string, Value>>, key: Key): Map<string, Value> {
	const found = maps.get(key) ?? new Map<string, Value>();
	maps.set(key, found);
	return found;
}
