import { isObject } from '../../schemas/unknown.js'
import { cutText } from '../streams/cut-text.js'

/** How much is kept: bytes of a text, items of a list. */
interface Measure { text: number, items: number }

const shortestText = 200

/** A list or a text ends earlier; all that is there keeps its form. */
const shorten = (value: unknown, measure: Measure): unknown => {
  if (typeof value === 'string') return Buffer.byteLength(value) > measure.text ? cutText(value, measure.text) : value
  if (Array.isArray(value)) return value.slice(0, measure.items).map((item) => shorten(item, measure))
  return isObject(value) ? shortenObject(value, measure) : value
}

/** Where a page goes on begins after its last item: where some are left out, it would skip them. */
export const isContinuation = (name: string): boolean => /^(next|newer)_/.test(name)

const shortenObject = (object: Record<string, unknown>, measure: Measure): Record<string, unknown> => {
  const isCut = Object.values(object).some((value) => Array.isArray(value) && value.length > measure.items)
  return Object.fromEntries(Object.entries(object).filter(([name]) => !isCut || !isContinuation(name))
    .map(([name, value]) => [name, shorten(value, measure)]))
}

/**
 * An answer of at most so many bytes in the form of its schema, for programs: lists and texts of it end earlier.
 * @returns undefined where even that is too large
 */
export const fitStructure = (value: Record<string, unknown>, maxBytes: number):
{ value: Record<string, unknown>, isCut: boolean } | undefined => {
  const measure = { text: maxBytes, items: maxBytes }
  for (let shorter = value; ;) {
    if (Buffer.byteLength(JSON.stringify(shorter)) <= maxBytes) return { value: shorter, isCut: shorter !== value }
    if (measure.items === 0) return undefined
    // Texts first, as for a model: an item that is missing is worse than one whose text is shorter.
    if (measure.text > shortestText) measure.text = Math.max(shortestText, Math.floor(measure.text / 2))
    else measure.items = Math.floor(measure.items / 2)
    shorter = shortenObject(value, measure)
  }
}
