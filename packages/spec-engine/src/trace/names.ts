import { slugOf } from '../export/text.js'

/**
 * An id, with the spec's name before it where a repository has several specs: parcel-lockers/FR-001. "Lifts/FR-001" and
 * "browse/FR-001" name something else, "FR-001.2" and "FR-001-02" another id; "FR-001/FR-002" names two.
 */
const named = /(?<![\p{L}\p{N}_-])(?:((?![A-Z]{2,4}-\d{3,6}[/:])[\p{L}\p{N}_.-]{1,60})[/:])?([A-Z]{2,4}-\d{3,6})(?![\p{L}\p{N}_]|[.-]\d)/gu

/** @returns the ids of requirements that a text names, without those that it gives to another spec */
export const namedIn = (text: string, title: string): Set<string> => {
  const slug = slugOf(title)
  return new Set([...text.matchAll(named)]
    .flatMap(([, spec, id]) => id !== undefined && (spec === undefined || spec.toLowerCase() === slug) ? [id] : []))
}

/** @returns the same of a branch, which people write in small letters: fr-001-open-doors, feature/FR-001_doors */
export const namedInBranch = (branch: string, title: string): Set<string> =>
  namedIn(branch.replace(/(^|\/)([a-z]{2,4}-\d{3,6})(?=[-_/]|$)/gi, (_, before: string, id: string) =>
    `${before.replace('/', ' ')}${id.toUpperCase()} `), title)

const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,10})(?!\d)/gi

/** @returns the numbers of the issues that a text closes, in the words that code hosts understand */
export const closedIn = (text: string): Set<number> =>
  new Set([...text.matchAll(closing)].map(([, number]) => Number(number)))
