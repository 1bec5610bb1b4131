import { useEffect } from 'preact/hooks'
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

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A text as one page keeps it: two tabs never write over each other's. */
interface Draft<T> extends Kept<T> {
  key: string
  /** When it was last typed in, in ms. */
  at: number
}

const nameAny = (): string => Math.random().toString(36).slice(2)

/** This page until it is loaded again; a tab that was duplicated is another one. */
const here = nameAny()
const mark = '~'

/** @returns what a key says that a form keeps its text under, whichever page has stored it */
export const formOf = (key: string): string => key.split(mark)[0] ?? key

const isKept = (value: unknown): value is Kept<unknown> & { at?: number } =>
  typeof value === 'object' && value !== null && 'before' in value && 'edited' in value

/** @returns a key of its own for a form's text */
export const newKey = (form: string): string => form + mark + nameAny()

/** @returns the keys under which any page has kept a form's text */
export const keysOf = (form: string): string[] => listStored(form)
  .filter((rest) => rest === '' || rest.startsWith(mark)).map((rest) => form + rest)

const listDrafts = <T>(form: string): Draft<T>[] => keysOf(form).flatMap((key) => {
  const kept = readStored(key)
  // The same form has stored it under this key.
  return isKept(kept) ? [{ at: 0, ...kept as Kept<T>, key }] : []
}).sort((one, other) => other.at - one.at)

export const isAnyKept = (form: string): boolean => listDrafts(form).length > 0

export interface Keeping<T> {
  of: Signal<Kept<T>>
  /** Whether the form began with what was typed before. */
  wasKept: boolean
  /** What was typed in another tab, or before in this one, and is kept beside what the form shows. */
  other: { isNewer: boolean, show: () => void } | undefined
  /** To be called once it is saved, or discarded. */
  forget: () => void
  /** Begins anew. */
  reset: () => void
}

/** What the form goes on with: its own text, or else the newest that any tab has left. */
const begin = <T>(form: string, own: string): Draft<T> | undefined => {
  const drafts = listDrafts<T>(form)
  return drafts.find(({ key }) => key === own) ?? drafts[0]
}

const useStored = <T>(form: string, first: T) => {
  const own = form + mark + here
  const begun = useSignal(begin<T>(form, own))
  const of = useSignal<Kept<T>>(begun.value ?? { before: first, edited: first })
  const at = useSignal(0)
  const keep = () => {
    const { before, edited } = of.peek()
    if (isSame(before, edited)) forget(own)
    else store(own, { before, edited, at: at.peek() })
  }
  useSignalEffect(() => {
    const { edited } = of.value
    // Once it is saved the form keeps nothing, until it is typed in again.
    const { key, edited: earlier, at: then } = begun.peek() ?? {}
    at.value = then !== undefined && isSame(earlier, edited) ? then : Date.now()
    keep()
    // A tab that still shows it keeps it again.
    if (key !== undefined && key !== own) forget(key)
  })
  return { own, begun, of, at, keep }
}

/** Others that say something else than this one, and than what it began with. */
const useOthers = <T>(form: string, { own, begun, of, keep }: ReturnType<typeof useStored<T>>) => {
  const others = useSignal<Draft<T>[]>([])
  useEffect(() => {
    const read = ({ key, newValue }: Partial<StorageEvent>) => {
      if (key === own && newValue === null) keep()
      if (!key || formOf(key) === form) others.value = listDrafts<T>(form).filter((one) => one.key !== own)
    }
    read({})
    addEventListener('storage', read)
    return () => { removeEventListener('storage', read) }
  }, [form])
  return {
    others,
    other: others.value.find(({ edited }) =>
      !isSame(edited, of.value.edited) && !isSame(edited, begun.value?.edited))
  }
}

/**
 * The value of a form, which is kept in this browser from the first change until it is saved or discarded. Each tab
 * keeps its own; a form that is opened goes on with the newest, and leads to the others.
 */
export const useKept = <T>(form: string, first: T): Keeping<T> => {
  const stored = useStored(form, first)
  const { own, begun, of, at } = stored
  const { others, other } = useOthers(form, stored)
  const wasKept = begun.value !== undefined
  const end = () => {
    begun.value = undefined
    forget(own)
  }
  const show = (next: Draft<T>) => {
    const { before, edited } = of.value
    const mine = { before, edited, at: at.value, key: newKey(form) }
    const isTyped = !isSame(before, edited)
    if (isTyped) store(mine.key, { before, edited, at: at.value })
    others.value = [...isTyped ? [mine] : [], ...others.value.filter(({ key }) => key !== next.key)]
    begun.value = next
    of.value = { before: next.before, edited: next.edited }
  }
  return {
    of,
    wasKept,
    other: other && {
      isNewer: other.at > at.value || isSame(of.value.before, of.value.edited), show: () => { show(other) }
    },
    forget: end,
    reset: () => {
      end()
      of.value = { before: first, edited: first }
    }
  }
}
