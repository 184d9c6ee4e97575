import type { GenericValue, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { FeatureOpener } from '../engine/feature';
import type { AnyOperation } from '../engine/operation';
import { asCell, columnName, columnsOf, columnValue } from '../engine/output/resultFields';
import { type Layout, readDeclared } from '../engine/plan/settings';
import { isObject } from '../engine/plan/values';
import type { OutputField } from '../engine/results';

/** Flat Columns: the sections of a result side by side, each value in a cell, for tables. */
export const flatColumns: FeatureOpener = ({ context, operation }) => ({
	layout: tableOf(chosenSections(context, operation), operation.output),
});

const HEAD = ['outcome', 'reason', 'source', 'ageDays'];

/** @param sections the chosen ones: every item has their columns, even one that failed before its lookups */
export function tableOf(sections: string[], output: OutputField[] = []): Layout {
	const columns = [...HEAD, ...[...output, ...columnsOf(output)].map(({ name }) => name)];
	return {
		isColumn: (name, resultField) =>
			columns.some((column) => name === columnName(resultField, column)),
		inColumns({ operation: { inputNames = [] }, head, fields, record }, isBeside) {
			const { outcome, reason, input, ...origin } = head;
			const own: IDataObject = {};
			for (const field of fields) {
				if (!field.isLookup) own[field.name] = asCell(record[field.name]);
				if (!sections.includes(field.name) && record[field.name] === undefined) continue;
				const columns = columnsOf([field]).filter(({ simplified }) => simplified);
				for (const column of columns) own[column.name] = columnValue(column, record);
			}
			const values = { outcome, ...own, reason: asCell(reason), ...origin };
			// The input's own fields are beside the columns
			if (isBeside) return values;
			return { ...values, ...withPrefix(cellsOf(input, inputNames), 'input') };
		},
		beside: withPrefix,
	};
}

/** The sections of the first item with a readable list of them; none if no item has one. */
function chosenSections(context: IExecuteFunctions, operation: AnyOperation): string[] {
	const { fields, sectionsField } = operation;
	const property = fields.find(({ name }) => name === sectionsField);
	if (!property) return [];
	for (const item of context.getInputData().keys()) {
		try {
			const value = context.getNodeParameter(property.name, item, []) as GenericValue;
			const chosen = readDeclared(property, value);
			if (Array.isArray(chosen) && chosen.length > 0) return chosen as string[];
		} catch {
			continue;
		}
	}
	return [];
}

/** The input of an item with all of its values as cells, null if one is empty or could not be read. */
function cellsOf(input: GenericValue, names: string[]): IDataObject {
	const given = isObject(input) ? input : {};
	return Object.fromEntries(names.map((name) => [name, asCell(given[name] as GenericValue)]));
}

/** Each value of an object in a column of its own, which begins with the name of the object. */
function withPrefix(values: IDataObject, name: string): IDataObject {
	return Object.fromEntries(
		Object.entries(values).map(([field, value]) => [columnName(name, field), value]),
	);
}
