import type { CursorKey } from '../../../../plugins/cursors.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import { CodehostBadResponse } from '../errors.js'

export interface Scan<T> {
  limit: number
  /** Where the previous page ended: page and position at the code host, and the size of its pages. */
  from: CursorKey | undefined
  /** A filter that the code host does not have. */
  keep?: (item: T) => boolean
  fetch: (page: number, perPage: number) => Promise<Answer<T[]>>
}

export interface Scanned<T> { items: T[], next: CursorKey | null, staleSince: Date | null, hidden?: string[] }

const maxPages = 5
const pageSize = 100

/** @returns the next page's number. @throws codehost_bad_response when it is not a later page */
const nextPage = ({ next }: Answer<unknown>, page: number): number | null => {
  if (!next) return null
  const number = next.page ?? page + 1
  if (number <= page) throw CodehostBadResponse('The code host\'s next page is not a later one')
  return number
}

/**
 * Fills one page from at most five pages of the code host: with a filter of our own a page may be short, or empty,
 * and not be the last.
 */
export const scanPages = async <T>({ limit, from, keep = () => true, fetch }: Scan<T>, filtered: boolean):
Promise<Scanned<T>> => {
  const [first = 1, skipped = 0, size = filtered ? pageSize : limit] = (from ?? []).map(Number)
  const items: T[] = []
  let staleSince: Date | null = null
  const hidden = new Set<string>()
  let page: number | null = first
  for (let count = 0, skip = skipped; page !== null && count < maxPages; count++, skip = 0) {
    const answer: Answer<T[]> = await fetch(page, size)
    staleSince ??= answer.staleSince
    for (const id of answer.hidden ?? []) hidden.add(id)
    for (const [i, item] of answer.data.entries()) {
      if (i < skip || !keep(item)) continue
      if (items.length === limit) return { items, next: [page, i, size], staleSince, hidden: [...hidden] }
      items.push(item)
    }
    page = nextPage(answer, page)
    if (items.length === limit) break
  }
  return { items, next: page === null ? null : [page, 0, size], staleSince, hidden: [...hidden] }
}
