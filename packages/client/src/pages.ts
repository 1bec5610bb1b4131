import { Problem } from './problem.js'

export interface Page<T> { items: T[], next_cursor: string | null }

/** @returns every item of a list, whose pages are read as they are needed. @throws Problem */
export async function * itemsOf<T> (load: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined
  for (;;) {
    const page = await load(cursor)
    yield * page.items
    const next = page.next_cursor ?? undefined
    if (next === undefined) return
    if (next === cursor) throw new Problem('unexpected_answer', 200, 'The list\'s next page is the same page')
    cursor = next
  }
}

/** @returns all items at once */
export const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
