/** Selects the node type that n8n derives for models, in the `show` and `hide` of `displayOptions`. */
export const TOOL = { '@tool': [true] };
