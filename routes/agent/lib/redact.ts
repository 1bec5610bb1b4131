import { mayHoldSecret, redactText } from '../../../plugins/redaction.js'

export { redactText } from '../../../plugins/redaction.js'

const suspicious = mayHoldSecret('\\\\u0000|\\\\ud[89a-f]')

const unstorable = /[\0\ud800-\udfff]/

/** @returns the value with its strings redacted, and without NUL and lone surrogates, which no row can hold */
export const redact = (value: unknown): unknown => suspicious.test(JSON.stringify(value) ?? '') ? clean(value) : value

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') {
    const text = unstorable.test(value) ? value.replaceAll('\0', '').toWellFormed() : value
    return redactText(text)
  }
  if (Array.isArray(value)) return value.map(clean)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [String(clean(key)), clean(child)]))
}
