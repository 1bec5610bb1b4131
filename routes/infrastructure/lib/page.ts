export interface Slice<T> { items: T[], last: string | undefined }

/**
 * One page of a list that is known whole, in the order of the ids.
 * @param after the id that the page before ended with
 * @returns `last` where the next page begins; undefined at the end
 */
export const slicePage = <T extends { id: string }>(all: T[], limit: number, after: string | undefined): Slice<T> => {
  const sorted = all.filter(({ id }) => after === undefined || id > after).sort((a, b) => a.id < b.id ? -1 : 1)
  const items = sorted.slice(0, limit)
  return { items, last: sorted.length > limit ? items.at(-1)?.id : undefined }
}
