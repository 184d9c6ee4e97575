import { isBrand, type Audit, type Audits } from './audits';
import { hash } from '../answers/hash';
import { AUDIT } from '../answers/magicInputs';

/** SPEC §4.1: an audit covers four large-language-model platforms, which it does not name. */
const PLATFORMS = ['assistant-one', 'assistant-two', 'assistant-three', 'assistant-four'];

const PROMPTS = 25;

/** What is said of an audit in any state: its ID, and its word unless the brand is the wordless one and it is over. */
export function headOf(audit: Audit, audits: Audits) {
	const status = audits.stateOf(audit);
	const isSilent = status === 'completed' && isBrand(audit, AUDIT.wordlessBrand);
	return { audit_id: audit.id, ...(isSilent ? {} : { status }) };
}

/** The body of GET /audit (SPEC §4.1); SPEC shows none of its fields. */
export const auditBody = (audit: Audit, audits: Audits) =>
	bodyOf(audit, audits, () => ({
		...subjectOf(audit),
		overall_score: overallScore(audit),
		results: PLATFORMS.map((platform) => resultOn(platform, audit)),
	}));

/** The body of GET /audit_summary (SPEC §4.1); SPEC shows none of its fields. */
export const summaryBody = (audit: Audit, audits: Audits) =>
	bodyOf(audit, audits, () => {
		const byScore = PLATFORMS.map((platform) => resultOn(platform, audit)).sort(
			(one, other) => other.visibility_score - one.visibility_score,
		);
		return {
			...subjectOf(audit),
			overall_score: overallScore(audit),
			platforms: PLATFORMS.length,
			strongest_platform: byScore[0].platform,
			weakest_platform: byScore[PLATFORMS.length - 1].platform,
			total_mentions: byScore.reduce((sum, { mentions }) => sum + mentions, 0),
		};
	});

/** While unfinished, there is the head and the progress; an audit that failed has an error and no results. */
function bodyOf(audit: Audit, audits: Audits, finished: () => object) {
	const head = headOf(audit, audits);
	switch (audits.stateOf(audit)) {
		case 'completed':
			return { ...head, ...finished() };
		case 'failed':
			return { ...head, error: 'The brand website could not be read.' };
		default:
			return { ...head, progress: audits.progress(audit) };
	}
}

const subjectOf = ({ request }: Audit) => ({
	brand_name: request.brandName,
	brand_url: request.brandUrl,
	competitors: request.competitors,
});

function resultOn(platform: string, { request }: Audit) {
	const mentions = mentionsOf(request.brandName, platform);
	return {
		platform,
		visibility_score: scoreOf(mentions),
		prompts_tested: PROMPTS,
		mentions,
		average_position: mentions === 0 ? null : 1 + (hash(`${platform} position`) % 5),
		sentiment: ['positive', 'neutral', 'negative'][hash(`${request.brandName} ${platform}`) % 3],
		citations: [new URL('/about', request.brandUrl).href],
		competitors: request.competitors.map((name) => ({
			name,
			mentions: mentionsOf(name, platform),
			visibility_score: scoreOf(mentionsOf(name, platform)),
		})),
	};
}

const mentionsOf = (brand: string, platform: string) =>
	hash(`${brand} on ${platform}`) % (PROMPTS + 1);

const scoreOf = (mentions: number) => Math.round((mentions / PROMPTS) * 100);

const overallScore = ({ request }: Audit) =>
	Math.round(
		PLATFORMS.reduce((sum, name) => sum + scoreOf(mentionsOf(request.brandName, name)), 0) /
			PLATFORMS.length,
	);
