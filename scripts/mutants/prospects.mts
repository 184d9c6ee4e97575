import type { Candidate } from './records.mts';

/** Orders test files by how likely they notice a mutant of a source file, for the time that they take. */
export class Prospects {
	private readonly counts = new Map<string, { tries: number; hits: number }>();

	sorted(source: string, candidates: Candidate[]): Candidate[] {
		const worth = (candidate: Candidate) => {
			const { tries, hits } = this.countsOf(source, candidate);
			return (hits + 1 / Math.sqrt(candidate.reaches)) / (tries + 1) / (candidate.ms + 100);
		};
		return candidates
			.map((candidate) => ({ candidate, value: worth(candidate) }))
			.sort((a, b) => b.value - a.value)
			.map(({ candidate }) => candidate);
	}

	tried(source: string, candidate: Candidate, hit: boolean): void {
		const counts = this.countsOf(source, candidate);
		counts.tries++;
		if (hit) counts.hits++;
	}

	private countsOf(source: string, { job }: Candidate): { tries: number; hits: number } {
		const key = `${source} ${job.file}`;
		const counts = this.counts.get(key) ?? { tries: 0, hits: 0 };
		this.counts.set(key, counts);
		return counts;
	}
}
