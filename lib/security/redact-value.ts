import { mayHoldSecret, redactRead, redactText } from './redaction.js'
import { isSecretName, isSecretValue } from './secret-names.js'

/** Levels of arrays and objects. No schema of ours goes as deep; deeper, a value would exhaust its readers' stack. */
const maxDepth = 100
const tooDeep = '[nested too deeply]'

const suspicious = mayHoldSecret('\\0')

const isSuspicious = (text: string): boolean => suspicious.test(text) || !text.isWellFormed()

const needsCleaning = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string') return isSuspicious(value)
  if (value === null || typeof value !== 'object') return false
  if (depth >= maxDepth) return true
  if (Array.isArray(value)) return value.some((child) => needsCleaning(child, depth + 1))
  return Object.entries(value).some(([key, child]) => isSuspicious(key) || needsCleaning(child, depth + 1))
}

const cleanText = (text: string): string => redactText(text.replaceAll('\0', '').toWellFormed())

const clean = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return isSuspicious(value) ? cleanText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (depth >= maxDepth) return tooDeep
  if (Array.isArray(value)) return value.map((child) => clean(child, depth + 1))
  return Object.fromEntries(Object.entries(value)
    .map(([key, child]) => [isSuspicious(key) ? cleanText(key) : key, clean(child, depth + 1)]))
}

/**
 * @returns the value with its strings redacted, without NUL and lone surrogates, which no row can hold, and no deeper
 *   than a hundred levels; the same value where nothing had to change. In time that is proportional to its size.
 */
export const redact = (value: unknown): unknown => needsCleaning(value, 0) ? clean(value, 0) : value

const cleanRead = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redactRead(value)
  if (value === null || typeof value !== 'object' || depth >= maxDepth) return value
  if (Array.isArray(value)) return value.map((child) => cleanRead(child, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key,
    typeof child === 'string' && isSecretName(key) && isSecretValue(child) ? '[redacted]' : cleanRead(child, depth + 1)]))
}

/**
 * @returns a value that was read somewhere, as `redact` does, and also without what a name says is a secret: of a field
 *   or within a text. Not for what is sent, in which such names may stand for what a person wants there.
 */
export const redactValueRead = (value: unknown): unknown => cleanRead(redact(value), 0)
