import { StateChanged } from '../../schemas/errors.js'
import { isSameJson } from './digest.js'

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
