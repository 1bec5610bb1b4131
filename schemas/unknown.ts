/** @returns the fields of what may be anything; what has none is an object without them */
export const fieldsOf = (value: unknown): Record<string, unknown> => Object(value)

/** @returns a field of what may be anything, where it is text */
export const textIn = (value: unknown, field: string): string | undefined => {
  const found = fieldsOf(value)[field]
  return typeof found === 'string' ? found : undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns whether one of a few words is the value, which may be any other too */
export const isOneOf = <T extends string>(words: readonly T[], value: unknown): value is T =>
  words.some((word) => word === value)

/** @returns the message of what was thrown, for a log line */
export const messageOf = (thrown: unknown): string => textIn(thrown, 'message') ?? ''

/** @returns the code of the system, of the database, or of an error of ours */
export const codeOf = (thrown: unknown): string | undefined => textIn(thrown, 'code')

/** A distributed database names that of one shard, in the message alone: `agent_run_live_102008`. */
const named = /constraint "(\w+?)(?:_\d{6,})?"/

/** @returns the constraint of the database that refused a row */
export const constraintOf = (thrown: unknown): string | undefined =>
  textIn(thrown, 'constraint') ?? named.exec(messageOf(thrown))?.[1]

/** @returns the keys of an object that has no others than its type says, which Object.keys does not know */
export const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]

/** @returns an object with a value for each of the keys, which Object.fromEntries does not know */
export const byKey = <K extends string, V>(keys: readonly K[], valueOf: (key: K) => V) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>

/** @returns the item, which the caller knows to be there. @throws Error when it is not: a fault of ours */
export const itemAt = <T>(list: readonly T[], index: number): T => {
  if (index < 0 || index >= list.length) throw new Error(`There is no item ${index} of ${list.length}`)
  // It is within the list, so what it is, even undefined, is a T.
  return list[index] as T
}
