/** What is to be read of a webhook, or why there is nothing. */
export type Payload = { value: Record<string, unknown> } | { reason: 'not_json' | 'not_an_object' }

/** A webhook may be set to send a form whose field `payload` is the JSON. */
const textOf = (contentType: string, body: Buffer): string => {
  const text = body.toString('utf8')
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return text
  return new URLSearchParams(text).get('payload') ?? ''
}

/** @returns the webhook's JSON object */
export const readPayload = (contentType: string, body: Buffer): Payload => {
  let value: unknown
  try {
    value = JSON.parse(textOf(contentType, body))
  } catch {
    return { reason: 'not_json' }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { reason: 'not_an_object' }
  // It is an object; what is in it is checked by whoever reads it.
  return { value: value as Record<string, unknown> }
}
