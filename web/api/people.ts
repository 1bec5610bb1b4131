import { api, body, type Schemas } from './client'
import type { Page } from './pages'
import { useResource } from './resource'

/** The address is known to admins only. */
export type Person = Schemas['PersonName'] & { email?: string | null }

/** As many people as fit into one choice, and as many pages of names as a page reads. */
const [most, mostPages] = [100, 10]

/** People among whom to choose. */
export interface FoundPeople {
  people: Person[]
  /** There are others, who are found by their names. */
  isMore: boolean
}

/** Finds people by what their names contain; '' = anybody. */
export type FindPeople = (q: string, signal: AbortSignal) => Promise<FoundPeople>

const toFound = ({ items, next_cursor: next }: Page<Person>): FoundPeople =>
  ({ people: items, isMore: next !== null })

/** Finds active people. */
export const findPeople: FindPeople = async (q, signal) =>
  toFound(await body(api.GET('/account/people', { params: { query: { limit: most, q: q || undefined } }, signal })))

const readUsersOf = (q: string, signal: AbortSignal) =>
  body(api.GET('/account/users', { params: { query: { limit: most, q: q || undefined } }, signal }))

/** Finds active people with their addresses; for admins. */
export const findActiveUsers: FindPeople = async (q, signal) => {
  const { items, next_cursor } = await readUsersOf(q, signal)
  return toFound({ items: items.filter(({ status }) => status === 'active'), next_cursor })
}

/** Finds people, disabled ones too; for admins. */
export const findUsers: FindPeople = async (q, signal) =>
  toFound(await readUsersOf(q, signal))

type ReadPage = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Person>>

const readActive: ReadPage = (cursor, signal) =>
  body(api.GET('/account/people', { params: { query: { limit: most, cursor } }, signal }))
const readUsers: ReadPage = (cursor, signal) =>
  body(api.GET('/account/users', { params: { query: { limit: most, cursor } }, signal }))

/** @returns the names of all, or of those on the pages up to that of one person */
const readNames = async (read: ReadPage, signal: AbortSignal, upTo?: string): Promise<Record<string, string>> => {
  const names: Record<string, string> = {}
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { items, next_cursor: next } = await read(cursor, signal)
    for (const { id, name } of items) names[id] = name
    if (next === null || (upTo !== undefined && upTo in names)) break
    cursor = next
  }
  return names
}

/** @returns the name of an active person; undefined for another's id */
export const findName = async (id: string, signal: AbortSignal): Promise<string | undefined> =>
  (await readNames(readActive, signal, id))[id]

/** @returns the names of the workspace's active people, by their ids; empty until they are loaded */
export const useNames = (): Record<string, string> =>
  useResource([], (signal) => readNames(readActive, signal)).data ?? {}

/** @returns the same with disabled people; for admins */
export const useUserNames = (): Record<string, string> =>
  useResource([], (signal) => readNames(readUsers, signal)).data ?? {}
