import { slugOf } from '../export/text.js'

/** An id, with the spec's name before it where a repository has several specs: parcel-lockers/FR-001. */
const named = /(?<![\p{L}\p{N}_-])(?:([a-z0-9-]{1,60})[/:])?([A-Z]{2,4}-\d{3,6})(?![\p{L}\p{N}_])/gu

/** @returns the ids of requirements that a text names, without those that it gives to another spec */
export const namedIn = (text: string, title: string): Set<string> => {
  const slug = slugOf(title)
  return new Set([...text.matchAll(named)]
    .flatMap(([, spec, id]) => id !== undefined && (spec === undefined || spec === slug) ? [id] : []))
}
