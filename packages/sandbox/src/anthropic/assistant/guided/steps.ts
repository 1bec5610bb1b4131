import { isRecord } from '../../validate/shape.js'
import type { Call } from '../conversation.js'

/** A call that a conversation needs. */
export interface Wanted {
  name: string
  input: Record<string, unknown>
  /** What a write would do, in a half sentence: it waits for an approval. undefined = a read. */
  plan?: string
  /** Said before it. */
  intro?: string
}

/** What is said, and what a person may say next. */
export interface Reply { text: string, next?: string[] }

/** A fixed conversation: it yields the calls that it needs, gets their results in that order, and returns its reply. */
export type Steps<T = Reply> = Generator<Wanted[], T, Call[]>

/** What is to be done now: calls, or the reply with the calls that it stands on. */
export type Next = { calls: Wanted[] } | { reply: Reply, calls: Call[] } | { failed: Call } | { missing: string }

/** @returns the one result of a read; the driver ends the conversation where it failed */
export function * read (name: string, input: Record<string, unknown> = {}): Steps<Call> {
  const [call] = yield [{ name, input }]
  if (!call) throw new Error(`${name} has no result`)
  return call
}

/** @returns what became of a write, whatever that is */
export function * propose (name: string, input: Record<string, unknown>, plan: string, intro = ''): Steps<Call> {
  const [call] = yield [{ name, input, plan, intro }]
  if (!call) throw new Error(`${name} has no result`)
  return call
}

const isSame = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted())

/** Follows a conversation as far as the results go. A person may edit a write: its place identifies it. */
export function follow (steps: Steps, names: ReadonlySet<string>, current: readonly Call[]): Next {
  const used: Call[] = []
  const writes = [...current]
  let step = steps.next([])
  while (step.done !== true) {
    const results: Call[] = []
    const pending: Wanted[] = []
    for (const wanted of step.value) {
      const isWrite = wanted.plan !== undefined
      const call = isWrite
        ? takeFirst(writes, wanted.name)
        : current.find(({ name, input }) => name === wanted.name && isSame(input, wanted.input))
      if (call?.isError && !isWrite) return { failed: call }
      if (call) results.push(call)
      else if (names.has(wanted.name)) pending.push(wanted)
      else if (wasSearched(wanted.name, current) || !names.has('findTools')) return { missing: wanted.name }
      else return { calls: [{ name: 'findTools', input: { query: toWords(wanted.name) } }] }
    }
    if (pending.length > 0) return { calls: pending }
    used.push(...results)
    step = steps.next(results)
  }
  return { reply: step.value, calls: used }
}

function takeFirst (calls: Call[], name: string): Call | undefined {
  const at = calls.findIndex((call) => call.name === name)
  return at === -1 ? undefined : calls.splice(at, 1)[0]
}

/** "createSpecSession" is searched as "create spec session". */
const toWords = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

const wasSearched = (name: string, current: readonly Call[]): boolean =>
  current.some((call) => call.name === 'findTools' && call.input.query === toWords(name))

/** A list that goes on, or a source that did not answer. Lines of a log always go on. */
export const isPartial = ({ name, data }: Call): boolean => isRecord(data) &&
  (data.partial === true || (name.startsWith('list') && typeof data.next_cursor === 'string'))
