/** The value of a form field: a signal, or a part of a signal's value. */
export interface Cell<T> { value: T }

/** @returns one field of a record */
export const field = <T extends object, K extends keyof T>(of: Cell<T>, key: K): Cell<T[K]> => ({
  get value () { return of.value[key] },
  set value (next) { of.value = { ...of.value, [key]: next } }
})

/** @returns an optional field; `shown` is displayed while it is missing */
export const filled = <T extends object, K extends keyof T>(of: Cell<T>, key: K, shown: NonNullable<T[K]>):
Cell<NonNullable<T[K]>> => ({
    get value () { return of.value[key] ?? shown },
    set value (next) { of.value = { ...of.value, [key]: next } }
  })

/** @returns an optional field; `nothing`, the API's default, is left out of the request */
export const optional = <T extends object, K extends keyof T>(of: Cell<T>, key: K, nothing: NonNullable<T[K]>):
Cell<NonNullable<T[K]>> => ({
    get value () { return of.value[key] ?? nothing },
    set value (next) {
      const { [key]: _, ...rest } = of.value
      // The key is optional, so the rest is still a T.
      of.value = (next === nothing ? rest : { ...rest, [key]: next }) as T
    }
  })

/** @returns a list of texts as one text, one entry in each line */
export const asLines = (of: Cell<string[]>): Cell<string> => ({
  get value () { return of.value.join('\n') },
  set value (next) { of.value = next === '' ? [] : next.split('\n') }
})

/** @returns a list of words as one text, separated by commas */
export const asWords = (of: Cell<string[]>): Cell<string> => ({
  get value () { return of.value.join(',') },
  set value (next) { of.value = next === '' ? [] : next.split(',') }
})

/** @returns the value for a request: texts without surrounding spaces, lists without empty texts */
export const tidy = <T>(value: T): T => {
  // Each case returns a value of its input's shape.
  if (typeof value === 'string') return value.trim() as T
  if (Array.isArray(value)) return value.map(tidy).filter((entry) => entry !== '') as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tidy(part)])) as T
}
