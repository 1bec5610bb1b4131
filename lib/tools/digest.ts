import { createHash } from 'node:crypto'

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
