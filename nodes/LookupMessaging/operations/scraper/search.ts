import { isLocalAnswer, type Operation, type Params } from '../../engine/operation';
import {
	adviseOnLimit,
	readShown,
	SHOWN_TO_MODELS,
	shownFields,
	showResults,
} from '../shared/resultsShown';
import { queryField, readQuery, RESULTS, SCRAPER_CREDITS, type Search } from './scraping';

/** What the searches of both platforms have in common. */
export const SEARCH = {
	resource: 'scraper',
	fields: [queryField, ...shownFields],
	toolDefaults: SHOWN_TO_MODELS,
	subject: queryField.name,
	repeatable: true,
	decide: [RESULTS],

	prepare: (params: Params) => {
		const query = readQuery(params.query);
		if (isLocalAnswer(query)) return query;
		const shown = readShown(params);
		return isLocalAnswer(shown) ? shown : { query, ...shown };
	},
	present: showResults,
	advise: adviseOnLimit,
	credits: () => SCRAPER_CREDITS,
	quotesOthers: true as const,
} satisfies Partial<Operation<Search>>;
