import { ok, type Answer, type Call } from './operation.js'

const number = (value: string | null, otherwise: number): number => {
  const read = Number(value)
  return value !== null && Number.isInteger(read) && read > 0 ? read : otherwise
}

/** One page of a list, with the Link header for the next one. */
export function page (call: Call, items: unknown[], wrap: (slice: unknown[]) => unknown = (slice) => slice): Answer {
  const perPage = Math.min(number(call.query.get('per_page'), 30), 100)
  const at = number(call.query.get('page'), 1)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const link = linkHeader(call, at, last)
  return ok(wrap(items.slice((at - 1) * perPage, at * perPage)), link ? { link } : undefined)
}

function linkHeader (call: Call, at: number, last: number): string {
  const to = (relation: string, target: number) => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(target))
    return `<${call.origin}/api/v3${call.path}?${query}>; rel="${relation}"`
  }
  return [
    ...(at > 1 ? [to('prev', Math.min(at - 1, last))] : []),
    ...(at < last ? [to('next', at + 1), to('last', last)] : []),
    ...(at > 1 ? [to('first', 1)] : [])
  ].join(', ')
}
