import { cutText } from './cut-text.js'
import { fieldsOf } from '../../schemas/unknown.js'

/** What a frame of a stream may have: proxies and clients hold one line of it whole. */
export const maxFrameBytes = 65_536
/** The id, the event's name and what stands around them. */
const aroundBytes = 1_024

type Data = Record<string, unknown>

const fits = (text: string): boolean =>
  // No unit of UTF-16 has more than three bytes, so most are not counted.
  text.length * 3 <= maxFrameBytes - aroundBytes || Buffer.byteLength(text) <= maxFrameBytes - aroundBytes

const shorten = (value: unknown, bytes: number, items: number): unknown => {
  if (typeof value === 'string') return cutText(value, bytes)
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, bytes, items))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, bytes, items)]))
}

const isSmall = (value: unknown) =>
  typeof value === 'string' ? value.length <= 256 : value === null || typeof value !== 'object'

/** Bytes a text, and items a list, may have, one try after the other. */
const tries = [[16_384, 1_000], [4_096, 200], [1_024, 50], [256, 20]] as const

/**
 * @param text the data as JSON
 * @returns the text, or a shorter one that fits into a frame: `truncated` says so, and the API has the whole
 */
export const fitFrame = (data: Data, text: string): string => {
  if (fits(text)) return text
  for (const [bytes, items] of tries) {
    const cut = JSON.stringify({ ...fieldsOf(shorten(data, bytes, items)), truncated: true })
    if (fits(cut)) return cut
  }
  const small = Object.entries(data).filter(([, value]) => isSmall(value))
  return JSON.stringify({ ...Object.fromEntries(small), truncated: true })
}
