import type { GenericValue, INodeProperties } from 'n8n-workflow';
import type { BinaryFile } from '../../engine/client';
import { isLocalAnswer, type LocalAnswer, type OutputField } from '../../engine/operation';
import { phoneNumberField } from '../shared/phone/phoneNumber';
import { PHONE_FIELDS } from '../shared/phone/phoneRecord';
import { TOOL } from '../shared/toolOnly';
import { isObject, quote, textOf } from '../../engine/plan/values';
import { missingValue, readAnyText } from '../shared/readText';

/** SPEC §8: media up to 2 MB. */
const MAX_BYTES = 2 * 1024 * 1024;

/** More than any messenger takes, and than fits into a URL. */
const MAX_IN_TEXT = 100_000;
const MAX_IN_NAME = 1_000;

export const recipientField: INodeProperties = {
	...phoneNumberField,
	description:
		'The phone number of the recipient, in any format. Set Country if it has no country code.',
};

export const textField: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Your order is on its way',
	description: 'The text to send. Media needs a text, too.',
};

export const mediaField: INodeProperties = {
	displayName: 'Media',
	name: 'media',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'None', value: 'none', description: 'Send only the text' },
		{
			name: 'Binary Field',
			value: 'binaryField',
			description: 'Send a file from the input item with the text, such as an image or a document',
		},
	],
	default: 'none',
	description: 'What to send with the text',
};

export const binaryPropertyField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	displayOptions: { show: { media: ['binaryField'] } },
	hint: 'The name of the input binary field containing the file to be sent',
	description: 'The file to send with the text, up to 2 MB',
};

export const checkNumberFirstOption: INodeProperties = {
	displayName: 'Check Number First',
	name: 'checkNumberFirst',
	type: 'boolean',
	default: true,
	description:
		"Whether to check that the number is on WhatsApp first, and send nothing if it isn't. The check is a paid call of its own.",
};

export const mediaFieldNameOption: INodeProperties = {
	displayName: 'Media Field Name',
	name: 'mediaFieldName',
	type: 'string',
	default: 'media',
	displayOptions: { show: { '/media': ['binaryField'] }, hide: TOOL },
	description: 'Name of the form field in which the service expects the file',
};

export const MESSAGE_FIELDS: OutputField[] = [
	PHONE_FIELDS.phoneNumber,
	{ ...PHONE_FIELDS.extension, simplified: true },
	{
		name: 'sent',
		type: 'boolean',
		description: "Whether the service accepted the message; null if it didn't say",
		example: true,
		simplified: true,
	},
	{
		name: 'message',
		type: 'string',
		description: 'The reply of the service',
		example: 'Message sent',
		simplified: true,
	},
	{
		name: 'messageId',
		type: 'string',
		description: 'ID of the message, if the service returns one',
		example: '0b8a8f6e-5d3c-4c1e-9d3a-2f1f8a1b7c55',
		simplified: true,
	},
	{
		name: 'fileName',
		type: 'string',
		description: 'Name of the file sent with the text',
		example: 'invoice.pdf',
		simplified: true,
	},
];

/** The text of a message, unchanged, or its problem. People write "none" and "?", too. SPEC §4.1 requires one. */
export function readMessage(value: GenericValue): LocalAnswer | string {
	const text = readAnyText(value, textField.displayName, 'a text to send', MAX_IN_TEXT);
	if (isLocalAnswer(text)) return text;
	return OF_PROGRAM.test(text) ? missingValue(text, textField.displayName) : textOf(value);
}

/** What programs write in place of a missing text, and no person does. */
const OF_PROGRAM = /^(?:\[object \w{1,40}\]|undefined|NaN)$/;

/** What the request has besides the key and the file (SPEC §4.1). */
export const MESSAGE_PARAMETERS = ['number', 'message'];

export function readFieldName(value: GenericValue): LocalAnswer | string {
	const name = textOf(value).trim();
	const isOwn = ['api_key', ...MESSAGE_PARAMETERS].includes(name.toLowerCase());
	if (name.length <= MAX_IN_NAME && !isOwn) return name || textOf(mediaFieldNameOption.default);
	const why = isOwn
		? 'is a field that this node sets itself'
		: 'is longer than the name of a field';
	const reason = `(${quote(name)}) ${why}`;
	return { local: 'parameter', field: mediaFieldNameOption.displayName, reason };
}

/**
 * A file for a message, or its problem. Nothing of it has been read. SPEC §8.
 * @param found the file, or the problem of the field that names it (OperationFacts.fileField)
 */
export function readMedia(found: unknown): BinaryFile | LocalAnswer {
	if (!isBinaryFile(found)) return wrongFile(whyNoFile(found));
	const { bytes, fileName, property } = found;
	const file = `("${property}") has the file "${fileName}"`;
	if (bytes === 0) return wrongFile(`${file}, which is empty`);
	return bytes <= MAX_BYTES
		? found
		: wrongFile(
				`${file} of ${inFull(bytes)} bytes. Media can have at most ${inFull(MAX_BYTES)} (2 MB)`,
			);
}

function isBinaryFile(found: unknown): found is BinaryFile {
	return isObject(found) && 'bytes' in found;
}

function whyNoFile(found: unknown): string {
	const isProblem = isObject(found) && 'problem' in found;
	return isProblem ? textOf(found.problem) : "doesn't name a binary field of the item";
}

function wrongFile(reason: string): LocalAnswer {
	return { local: 'parameter', field: binaryPropertyField.displayName, reason };
}

function inFull(bytes: number): string {
	return bytes.toLocaleString('en-US');
}
