import { createHash } from 'node:crypto'

const members = (value: object): string => Object.entries(value)
  .filter(([, child]) => child !== undefined)
  .sort(([a], [b]) => a < b ? -1 : 1)
  .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join()

/**
 * @returns the value as RFC 8785 writes it: keys in the order of their UTF-16 units, no white space, numbers as
 *   ECMAScript does. Strings must be well formed.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  return `{${members(value)}}`
}

/** @returns the SHA-256 of the canonical form, in hexadecimal */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')
