import { language, phrase } from '../speech/index.js'

const day = 86_400_000

/** Days, both included. */
export interface Range { label: string, start: string, end: string }

export const dateOf = (date: Date): string => date.toISOString().slice(0, 10)

const utc = (year: number, month: number, date: number): string => dateOf(new Date(Date.UTC(year, month, date)))

const year = (): number => new Date().getUTCFullYear()
const monthNow = (): number => new Date().getUTCMonth()

/** What lies in the future has no costs yet: a range ends today at the latest. */
const until = (label: string, start: string, end: string): Range => {
  const today = dateOf(new Date())
  return { label, start, end: end < today || start > today ? end : today }
}

/** So many months from a month on, which counts from January of the year. */
const months = (label: string, of: number, first: number, count = 1): Range =>
  until(label, utc(of, first, 1), utc(of, first + count, 0))

/** The month that lies so many months back. */
export const month = (label: string, back: number): Range => months(label, year(), monthNow() - back)

const days = (count: number, label: string): Range => {
  const now = Date.now()
  return { label, start: dateOf(new Date(now - (count - 1) * day)), end: dateOf(new Date(now)) }
}

const names = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
  'november', 'december']

/** "May" is a word of its own, too: alone it is a month behind a preposition, or before a year. */
const named = new RegExp(`\\b(${names.filter((name) => name !== 'may').join('|')})\\b(?:\\s+(?:of\\s+)?(\\d{4}))?|` +
  '\\b(?:in|of|for|during|since)\\s+(may)\\b(?:\\s+(\\d{4}))?|\\b(may)\\s+(\\d{4})\\b', 'i')

/** A month by its name: of this year, or of the year before when this year's has not come yet. */
const namedMonth = (message: string): Range | undefined => {
  const [found, plain, plainYear, may, mayYear, other, otherYear] = named.exec(message) ?? []
  if (found === undefined) return undefined
  const index = names.indexOf((plain ?? may ?? other ?? '').toLowerCase())
  const given = Number(plainYear ?? mayYear ?? otherYear)
  const of = given > 0 ? given : index > monthNow() ? year() - 1 : year()
  const label = new Intl.DateTimeFormat(language(), { month: 'long', year: 'numeric', timeZone: 'UTC' })
    .format(Date.UTC(of, index, 1))
  return months(label, of, index)
}

const long = (message: string): Range | undefined => {
  const quarter = Math.floor(monthNow() / 3)
  const number = Number(/\bq([1-4])\b/i.exec(message)?.[1])
  const given = Number(/\b(20\d\d)\b(?![-.]\d)/.exec(message)?.[1])
  if (number > 0) {
    const of = given > 0 ? given : number - 1 > quarter ? year() - 1 : year()
    return months(`Q${number} ${of}`, of, (number - 1) * 3, 3)
  }
  if (/\bthis quarter\b/i.test(message)) return months(phrase`this quarter`, year(), quarter * 3, 3)
  if (/\b(last|previous) quarter\b/i.test(message)) return months(phrase`last quarter`, year(), quarter * 3 - 3, 3)
  if (/\bthis year\b|\byear to date\b/i.test(message)) return months(phrase`this year`, year(), 0, 12)
  if (/\b(last|previous) year\b/i.test(message)) return months(phrase`last year`, year() - 1, 0, 12)
  return given > 0 ? months(String(given), given, 0, 12) : undefined
}

const lastSome = /\b(?:last|past)\s+(\d{1,3}|two|three|four|six)\s+(day|week|month)s\b/i
const spelled: Record<string, number> = { two: 2, three: 3, four: 4, six: 6 }

const recent = (message: string): Range | undefined => {
  const [, text = '', unit] = lastSome.exec(message) ?? []
  const count = Number(spelled[text.toLowerCase()] ?? text)
  if (count > 0 && unit?.toLowerCase() === 'month') {
    return months(phrase`the last ${count} months`, year(), monthNow() - count + 1, count)
  }
  const length = count * (unit?.toLowerCase() === 'week' ? 7 : 1)
  if (count > 0) return days(length, phrase`the last ${length} days`)
  if (/\b(last|past|this) week\b/i.test(message)) return days(7, phrase`the last ${7} days`)
  if (/\byesterday\b/i.test(message)) {
    const date = dateOf(new Date(Date.now() - day))
    return { label: phrase`yesterday`, start: date, end: date }
  }
  return /\btoday\b/i.test(message) ? days(1, phrase`today`) : undefined
}

export const comparison = new RegExp('\\b(compar\\w+|versus|vs|than|against|before|go(ne)? up|went up|rise|' +
  'risen|rose|increase\\w*|chang\\w+|differ\\w+|why)\\b', 'i')
export const lastMonth = /\b(last|previous) month\b/i

/** The period that a message names, this month else; "since" goes on to today. */
export const rangeOf = (message: string): Range => {
  const range = periodIn(message)
  if (!/\bsince\b/i.test(message) || comparison.test(message)) return range
  return { label: phrase`the time since ${range.start}`, start: range.start, end: dateOf(new Date()) }
}

const periodIn = (message: string): Range =>
  recent(message) ?? namedMonth(message) ?? long(message) ??
  (lastMonth.test(message) && !comparison.test(message) ? month(phrase`last month`, 1) : month(phrase`this month`, 0))

/** Last month as what another is held against: "more than last month". */
const againstLastMonth =
  /\b(?:than|against|with|to|versus|vs\.?|over|since)\s+(?:in )?(?:the )?(?:last|previous)\b/i

/** "Than in October", "compare October with September". */
const againstMonth = new RegExp('\\b(?:than|against|with|to|versus|vs\\.?|and)\\s+(?:in )?' +
  `((?:${names.join('|')})(?: \\d{4})?)\\b`, 'i')

/** As many days, right before. */
const daysBefore = ({ start, end }: Range): Range => {
  const length = (Date.parse(end) - Date.parse(start)) / day + 1
  const shifted = (date: string) => dateOf(new Date(Date.parse(date) - length * day))
  const before = length === 1 ? phrase`the day before` : phrase`the ${length} days before`
  return { label: before, start: shifted(start), end: shifted(end) }
}

const isWholeMonth = ({ start, end }: Range): boolean =>
  start.endsWith('-01') && start.slice(0, 7) === end.slice(0, 7) && new Date(Date.parse(end) + day).getUTCDate() === 1

/** The period that a message means, and the one that it is held against: half a month never against a whole one. */
export const periodsOf = (message: string): [Range, Range] => {
  if (lastMonth.test(message) && !againstLastMonth.test(message)) {
    return [month(phrase`last month`, 1), month(phrase`the month before`, 2)]
  }
  const against = againstMonth.exec(message)
  const other = against ? namedMonth(`in ${against[1]}`) : undefined
  if (against && other) {
    const first = namedMonth(message.slice(0, against.index))
    return first ? [first, other] : soFar(month(phrase`this month so far`, 0), other)
  }
  const range = rangeOf(message)
  if (isWholeMonth(range)) {
    const [of, at] = range.start.split('-').map(Number)
    return [range, months(phrase`the month before`, of ?? 0, (at ?? 1) - 2)]
  }
  if (range.label !== phrase`this month`) return [range, daysBefore(range)]
  return soFar({ ...range, label: phrase`this month so far` }, month(phrase`the same days of last month`, 1))
}

/** As many days of the other month as have passed of this one. */
const soFar = (current: Range, whole: Range): [Range, Range] => {
  const sameDay = `${whole.start.slice(0, 8)}${String(new Date().getUTCDate()).padStart(2, '0')}`
  return [current, { ...whole, end: sameDay < whole.end ? sameDay : whole.end }]
}
