/** @returns whether one of a few words is the value, which may be any other too */
export const isOneOf = <T extends string>(words: readonly T[], value: unknown): value is T =>
  words.some((word) => word === value)

/** @returns the keys of an object that has no others than its type says, which Object.keys does not know */
export const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]

/** @returns an object with a value for each of the keys, which Object.fromEntries does not know */
export const byKey = <K extends string, V>(keys: readonly K[], valueOf: (key: K) => V) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>
