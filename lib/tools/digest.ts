import { createHash } from 'node:crypto'
import { StateChanged } from '../../schemas/errors.js'

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, canonical(child)])
  )
}

/** @returns the SHA-256 of the value as JSON with sorted keys, as `sha256:<hex>` */
export const digestOf = (value: object): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(canonical(value))).digest('hex')}`

/** @returns whether both are the same JSON, whatever the order of their keys */
export const isSameJson = (a: unknown, b: unknown): boolean => digestOf({ value: a }) === digestOf({ value: b })

/** Identifies a call as the model made it, so that repetitions are found. */
export const callKeyOf = (name: string, input: unknown): string => digestOf({ name, input })

/** The argument by which a write takes the facts that it was approved on. */
export const expectedField = 'expected'

/**
 * Compares the facts that a write was approved on with those that were read right before it is sent.
 * @param expected some of them: what is not named, the caller does not depend on
 * @throws state_changed with each that differs, and its two values
 */
export const requireExpected = (expected: object | undefined, found: object): void => {
  const now = new Map<string, unknown>(Object.entries(found))
  const changed = Object.entries(expected ?? {})
    .filter(([field, value]) => value !== undefined && !isSameJson(value, now.get(field) ?? null))
    .map(([field, value]) => ({ field, expected: value, found: now.get(field) ?? null }))
  if (changed.length === 0) return
  const names = changed.map(({ field }) => field).join(', ')
  throw StateChanged(`It is not as it was when this was shown (${names}). Nothing was sent; read it, and decide again`,
    { changed })
}

/** Waits for work until the time is over or the signal aborts; the work goes on, and its result is discarded. */
export const withTimeout = async <T>(work: Promise<T>, ms: number, signal?: AbortSignal):
Promise<T | 'timeout' | 'aborted'> => {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const stop = new Promise<'timeout' | 'aborted'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), ms)
    onAbort = () => resolve('aborted')
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
  })
  return Promise.race([work, stop]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}
