import { useSignal, useSignalEffect, type Signal } from '@preact/signals'

/** What was typed and not saved, which survives a closed tab, beside what it was when the typing began. */
export interface Kept<T> { before: T, edited: T }

/** @returns what is stored; undefined where there is nothing, or nothing that can be read */
export const readStored = (key: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const forget = (key: string): void => localStorage.removeItem(key)

/** A full store keeps nothing more; the page asks before it is left, all the same. */
export const store = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    forget(key)
  }
}

/** @returns the rest of each key that begins so, and under which something is stored */
export const listStored = (prefix: string): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).sort()

const isKept = (value: unknown): value is Kept<unknown> =>
  typeof value === 'object' && value !== null && 'before' in value && 'edited' in value

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const read = <T>(key: string): Kept<T> | undefined => {
  const kept = readStored(key)
  // The same form has stored it under this key.
  return isKept(kept) ? kept as Kept<T> : undefined
}

export interface Keeping<T> {
  of: Signal<Kept<T>>
  /** Whether the form began with what was typed before. */
  wasKept: boolean
  /** To be called once it is saved, or discarded. */
  forget: () => void
  /** Begins anew. */
  reset: () => void
}

/** The value of a form, which is kept in this browser from the first change until it is saved or discarded. */
export const useKept = <T>(key: string, first: T): Keeping<T> => {
  const wasKept = useSignal(read<T>(key))
  const of = useSignal(wasKept.value ?? { before: first, edited: first })
  useSignalEffect(() => {
    if (isSame(of.value.before, of.value.edited)) forget(key)
    else store(key, of.value)
  })
  const end = () => {
    wasKept.value = undefined
    forget(key)
  }
  return {
    of,
    wasKept: wasKept.value !== undefined,
    forget: end,
    reset: () => {
      of.value = { before: first, edited: first }
      end()
    }
  }
}
