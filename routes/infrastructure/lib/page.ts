export interface Slice<T> { items: T[], last: string | undefined }

/** How many items fit, at least one. */
const fitting = (items: object[], maxBytes: number): number => {
  let bytes = 0
  const tooMany = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > maxBytes)
  return tooMany === -1 ? items.length : Math.max(1, tooMany)
}

/**
 * One page of a list that is known whole, in the order of the ids.
 * @param after the id that the page before ended with
 * @param maxBytes of the items as JSON; the page ends before
 * @returns `last` where the next page begins; undefined at the end
 */
export const slicePage = <T extends { id: string }>(all: T[], limit: number, after: string | undefined,
  maxBytes = Infinity): Slice<T> => {
  const sorted = all.filter(({ id }) => after === undefined || id > after).sort((a, b) => a.id < b.id ? -1 : 1)
  const page = sorted.slice(0, limit)
  const items = maxBytes === Infinity ? page : page.slice(0, fitting(page, maxBytes))
  return { items, last: sorted.length > items.length ? items.at(-1)?.id : undefined }
}
