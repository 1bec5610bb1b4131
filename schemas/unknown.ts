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
