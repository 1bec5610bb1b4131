/** A day, a month or a year that a text names. */
export interface NamedDate { year?: number, month?: number, day?: number, start: number, end: number }

const names = new Map(['en', 'de', 'fr', 'es'].flatMap((locale) => Array.from({ length: 12 }, (_, month) =>
  ['long', 'short'].map((form): [string, number] => [new Intl.DateTimeFormat(locale, { month: form as 'long' })
    .format(new Date(2000, month, 1)).toLowerCase().replace(/\.$/, ''), month + 1]))).flat())
const month = `(?<name>${[...names.keys()].sort((one, other) => other.length - one.length).join('|')})\\.?`
const edge = '(?<![\\p{L}\\p{N}])'
const day = '(?<day>[0-3]?\\d)(?:st|nd|rd|th|\\.)?'
const year = '(?<year>(?:19|20)\\d\\d)'

const forms = [
  `${edge}${year}-(?<month>[01]\\d)-(?<day>[0-3]\\d)(?![\\d-])`,
  `${edge}(?<day>[0-3]?\\d)\\.\\s?(?<month>[01]?\\d)\\.\\s?${year}(?!\\d)`,
  `${edge}${day}\\s(?:of |de )?${month}(?:,?\\s(?:de )?${year})?(?![\\p{L}\\p{N}])`,
  `${edge}${month}\\s${day}(?:,?\\s${year})?(?![\\p{L}\\p{N}])`,
  `${edge}${month}\\s${year}(?![\\p{L}\\p{N}])`,
  `${edge}${year}(?![\\p{L}\\p{N}]|[.,]\\d)`
].map((form) => new RegExp(form, 'giu'))

/** "May 5 people" is no date, but a month before a number that is no day of it seldom is anything else. */
const dateOf = (groups: Record<string, string | undefined>, start: number, end: number): NamedDate => {
  const named = groups.name === undefined ? undefined : names.get(groups.name.toLowerCase())
  const number = groups.month === undefined ? named : Number(groups.month)
  return {
    start,
    end,
    ...(groups.year !== undefined && { year: Number(groups.year) }),
    ...(number !== undefined && { month: number }),
    ...(groups.day !== undefined && { day: Number(groups.day) })
  }
}

/** @returns the dates of a text, in order, in the forms of English, German, French and Spanish, and ISO 8601 */
export const datesIn = (text: string): NamedDate[] => {
  const found: NamedDate[] = []
  for (const form of forms) {
    for (const { 0: all, index, groups = {} } of text.matchAll(form)) {
      const end = index + all.length
      if (!found.some((one) => index < one.end && one.start < end)) found.push(dateOf(groups, index, end))
    }
  }
  return found.sort((one, other) => one.start - other.start)
}

const fields = ['year', 'month', 'day'] as const

/** @returns whether a source with the known date supports the named one, which may say less */
export const isDateOf = (named: NamedDate, known: NamedDate): boolean =>
  fields.every((field) => named[field] === undefined || known[field] === undefined || named[field] === known[field]) &&
  fields.some((field) => named[field] !== undefined && named[field] === known[field]) &&
  !(named.day !== undefined && known.day === undefined)
