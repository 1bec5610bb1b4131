import { AwsError } from '../core/errors.js'

/** A body as a JSON object; an empty body is an empty object. */
export function jsonObject (body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {}
  try {
    const value: unknown = JSON.parse(body.toString())
    // Checked here, typed by `operation()`.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Falls through to the same refusal.
  }
  throw new AwsError('SerializationException', 'Start of structure or map found where not expected.')
}
