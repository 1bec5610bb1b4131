/** Something that a field of a form shows and sets: a signal, or a part of what a signal holds. */
export interface Cell<T> { value: T }

/** @returns one field of a record that a form holds */
export const field = <T extends object, K extends keyof T>(of: Cell<T>, key: K): Cell<T[K]> => ({
  get value () { return of.value[key] },
  set value (next) { of.value = { ...of.value, [key]: next } }
})

/** @returns the same for one that may be missing: `shown` stands for that, and is what is sent when it is chosen */
export const filled = <T extends object, K extends keyof T>(of: Cell<T>, key: K, shown: NonNullable<T[K]>):
Cell<NonNullable<T[K]>> => ({
    get value () { return of.value[key] ?? shown },
    set value (next) { of.value = { ...of.value, [key]: next } }
  })

/** @returns the same, where `nothing`, which is what the API takes it for, is left out */
export const optional = <T extends object, K extends keyof T>(of: Cell<T>, key: K, nothing: NonNullable<T[K]>):
Cell<NonNullable<T[K]>> => ({
    get value () { return of.value[key] ?? nothing },
    set value (next) {
      const { [key]: _, ...rest } = of.value
      // Without the key it is a T still: only keys that may be missing are asked for here.
      of.value = (next === nothing ? rest : { ...rest, [key]: next }) as T
    }
  })

/** @returns a list of texts as one text, an entry a line */
export const asLines = (of: Cell<string[]>): Cell<string> => ({
  get value () { return of.value.join('\n') },
  set value (next) { of.value = next === '' ? [] : next.split('\n') }
})

/** @returns a list of words as one text, with commas between them */
export const asWords = (of: Cell<string[]>): Cell<string> => ({
  get value () { return of.value.join(',') },
  set value (next) { of.value = next === '' ? [] : next.split(',') }
})

/** @returns the value without the spaces around its texts, and its lists without empty texts: ready to be sent */
export const tidy = <T>(value: T): T => {
  // Each case gives back what it was given, in the same shape.
  if (typeof value === 'string') return value.trim() as T
  if (Array.isArray(value)) return value.map(tidy).filter((entry) => entry !== '') as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tidy(part)])) as T
}
