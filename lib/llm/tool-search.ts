/** Models of the provider that read deferred definitions. Source: the provider's documentation of tool search. */
const searching = /claude-(?:(?:opus|sonnet)-(?:4-[5-9]|[5-9]\b)|(?:haiku|fable|mythos)-[5-9]\b)/

/**
 * @param by as configured: `auto` goes by the address and the model, `server` and `steward` name who searches
 * @param isProvider it is asked at the provider's own address: other servers may refuse what is deferred
 * @returns whether the server is given all tools, most of them deferred, and finds them itself
 */
export const hasToolSearch = (by: string, model: string, isProvider: boolean): boolean =>
  by === 'server' || (by === 'auto' && isProvider && searching.test(model.toLowerCase().replaceAll('.', '-')))
