/** @returns whether one of a few words is the value, which may be any other too */
export const isOneOf = <T extends string>(words: readonly T[], value: unknown): value is T =>
  words.some((word) => word === value)

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
