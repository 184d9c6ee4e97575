import type { INodeProperties } from 'n8n-workflow';
import { isLocalAnswer, type LocalAnswer, type Params } from '../../engine/operation';
import { isEmpty, quote, textOf } from '../../engine/plan/values';
import { readIpAddress } from '../shared/ip/ipAddress';

/** The address of the person whose request leads to a caller ID lookup. The service logs it (SPEC §4.2). */

const endUserIpOption: INodeProperties = {
	displayName: 'End-User IP',
	name: 'endUserIp',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.7',
	description:
		'IP address of the person behind the request, for the log of the service. Only Detailed caller ID lookups send it. Equal numbers share one call, which has the address of the first item.',
};

/** SPEC §4.2 does not name the parameter. */
const endUserIpParameterOption: INodeProperties = {
	displayName: 'End-User IP Parameter',
	name: 'endUserIpParameter',
	type: 'string',
	default: 'ip',
	description:
		"Name of the service's parameter for the end-user IP. Your provider's documentation has it.",
};

export const endUserIpOptions = [endUserIpOption, endUserIpParameterOption];

/** Parameters that the node sets itself. */
const TAKEN = ['api_key', 'phone_number'];

/**
 * Reads the options.
 * @returns the parameter with its value, undefined where no address is given, or what is wrong
 */
export function readEndUserIp(params: Params): LocalAnswer | Record<string, string> | undefined {
	const { endUserIp, endUserIpParameter } = params;
	if (isEmpty(endUserIp)) return undefined;
	const read = readIpAddress(endUserIp);
	// A private address has no location, but it can be logged
	const address = isLocalAnswer(read) && read.local === 'reserved' ? textOf(endUserIp) : read;
	if (isLocalAnswer(address)) return wrong(endUserIpOption, address.reason);
	const name = isEmpty(endUserIpParameter)
		? textOf(endUserIpParameterOption.default)
		: textOf(endUserIpParameter).trim();
	if (!/^[a-z][\w.-]{0,99}$/i.test(name)) {
		return wrong(endUserIpParameterOption, `(${quote(name)}) can't be the name of a parameter`);
	}
	if (TAKEN.includes(name)) {
		return wrong(endUserIpParameterOption, `(${quote(name)}) is a parameter that the node sets`);
	}
	return { [name]: address.trim() };
}

function wrong({ displayName }: INodeProperties, reason: string): LocalAnswer {
	return { local: 'parameter', field: displayName, reason };
}
