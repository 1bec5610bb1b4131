import { isObject } from '../../../schemas/unknown.js'
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
  return isObject(value) ? { value } : { reason: 'not_an_object' }
}
