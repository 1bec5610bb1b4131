import type { Call, Conversation } from '../conversation.js'

/** A call that a skill needs; the words with which its tool is searched, and those that announce a write. */
export interface Wanted { name: string, input: Record<string, unknown>, search: string, plan?: string }

/** What a skill does: it yields the calls that it needs, gets their results in that order, and returns its answer. */
export type Steps<T = string> = Generator<Wanted[], T, Call[]>

/** Reads a message. @returns what to do for it; undefined = it is not for this skill */
export type Skill = (message: string, conversation: Conversation) => Steps | undefined

export const want = (name: string, input: Record<string, unknown> = {}, search = name): Wanted =>
  ({ name, input, search: search.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() })

/** @returns the one result of a call; the driver gives a sentence instead where the call failed */
export function * read (name: string, input: Record<string, unknown> = {}, search?: string): Steps<Call> {
  const [call] = yield [want(name, input, search)]
  if (!call) throw new Error(`${name} has no result`)
  return call
}
