import { isRecord } from '../../validate/shape.js'
import { plain } from '../render.js'
import { decimal, phrase } from '../speech/index.js'
import { awsServiceIn, mayName, valueIn } from './cost-subject.js'
import { read, type Skill, type Steps } from './skill.js'

const asks = /\b(costs?|spend|spent|spending|bills?|invoice|expensive|money|pay|paying|paid|charged?|charges)\b/i
const others = /\b(budget|limit|alert|trigger|write|draft|post|spec|blog)\b/i
const day = 86_400_000

interface Range { label: string, start: string, end: string }

const dateOf = (date: Date): string => date.toISOString().slice(0, 10)

const datesOf = ({ start, end }: Range): string => start === end ? start : phrase`${start} to ${end}`

/** The month that lies so many months back, to today at the latest. */
const month = (label: string, back: number): Range => {
  const now = new Date()
  const at = (months: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, date))
  return { label, start: dateOf(at(-back, 1)), end: dateOf(back === 0 ? now : at(1 - back, 0)) }
}

const days = (count: number, label: string): Range => {
  const now = Date.now()
  return { label, start: dateOf(new Date(now - (count - 1) * day)), end: dateOf(new Date(now)) }
}

const lastDays = /\b(?:last|past)\s+(\d{1,3})\s+days\b/i

/** The period that a message names, this month else; ranges are days, both included. */
const rangeOf = (message: string): Range => {
  const count = Number(lastDays.exec(message)?.[1])
  if (count > 0) return days(count, phrase`the last ${count} days`)
  if (/\b(last|past|this) week\b/i.test(message)) return days(7, phrase`the last ${7} days`)
  if (/\byesterday\b/i.test(message)) {
    const date = dateOf(new Date(Date.now() - day))
    return { label: phrase`yesterday`, start: date, end: date }
  }
  if (/\btoday\b/i.test(message)) return days(1, phrase`today`)
  return lastMonth.test(message) && !comparison.test(message)
    ? month(phrase`last month`, 1)
    : month(phrase`this month`, 0)
}

const comparison = new RegExp('\\b(compar\\w+|versus|vs|than|against|before|go(ne)? up|went up|rise|risen|rose|' +
  'increase\\w*|chang\\w+|differ\\w+|why)\\b', 'i')

interface Sums { total: number, currency: string, byKey: Map<string, number> }

const sumsOf = (data: unknown): Sums => {
  const byKey = new Map<string, number>()
  let currency = 'USD'
  for (const period of isRecord(data) && Array.isArray(data.periods) ? data.periods.filter(isRecord) : []) {
    for (const group of Array.isArray(period.groups) ? period.groups.filter(isRecord) : []) {
      const key = Array.isArray(group.keys) ? group.keys.join(', ') : String(group.key ?? 'other')
      byKey.set(key, (byKey.get(key) ?? 0) + Number(group.amount ?? 0))
      if (typeof group.currency === 'string') currency = group.currency
    }
  }
  return { total: [...byKey.values()].reduce((sum, amount) => sum + amount, 0), currency, byKey }
}

const money = (amount: number, currency: string): string => `${decimal(amount)} ${currency}`

const groupOf = (message: string): string =>
  /\bby (cloud )?account/i.test(message)
    ? 'LINKED_ACCOUNT'
    : /\bby region/i.test(message) ? 'REGION' : 'SERVICE'

const headingOf = (message: string): string => groupOf(message) === 'SERVICE' ? phrase`Service` : phrase`Group`

function * sums (message: string, { start, end }: Range): Steps<Sums> {
  const input = { start_date: start, end_date: end, granularity: 'MONTHLY', group_by: groupOf(message) }
  return sumsOf((yield * read('getCosts', input)).data)
}

const top = ({ byKey }: Sums) => [...byKey].toSorted(([, a], [, b]) => b - a)

const tableOf = (all: Sums, heading: string): string => {
  const rows = top(all).slice(0, 8)
    .map(([key, amount]) => [plain(key), money(amount, all.currency), `${Math.round(100 * amount / all.total)} %`])
  const rest = all.byKey.size > 8 ? `\n\n${phrase`The other ${all.byKey.size - 8} are smaller.`}` : ''
  return `| ${heading} | ${phrase`Cost`} | ${phrase`Share`} |\n|---|---:|---:|\n` +
    rows.map((row) => `| ${row.join(' | ')} |`).join('\n') + rest
}

/** The tags that say whose a cost is, those of teams before those of environments. */
const tags = ['team', 'env']

/** Reads costs by two things. @returns by the first of them the sums by the second */
function * sumsByTwo (groups: string, { start, end }: Range): Steps<Map<string, Sums>> {
  const input = { start_date: start, end_date: end, granularity: 'MONTHLY', group_by: groups }
  const { byKey, currency } = sumsOf((yield * read('getCosts', input)).data)
  const parts = new Map<string, Sums>()
  for (const [key, amount] of byKey) {
    const [first = '', second = ''] = key.split(', ')
    const part = parts.get(first) ?? { total: 0, currency, byKey: new Map<string, number>() }
    part.byKey.set(second, (part.byKey.get(second) ?? 0) + amount)
    parts.set(first, { ...part, total: part.total + amount })
  }
  return parts
}

/** What the costs are of that the message names: what carries a tag of that value, or one of AWS's services. */
function * subjectIn (message: string, range: Range): Steps<{ name: string, by: string, part: Sums } | undefined> {
  if (!mayName(message)) return undefined
  for (const tag of tags) {
    const parts = yield * sumsByTwo(`TAG:${tag},SERVICE`, range)
    const value = valueIn(message, [...parts.keys()])
    const part = parts.get(value ?? '')
    if (value === undefined || !part) continue
    const own = plain(value)
    return { name: phrase`**${own}** (all with the tag ${`${tag}=${own}`})`, by: phrase`Service`, part }
  }
  const parts = yield * sumsByTwo('SERVICE,USAGE_TYPE', range)
  const service = awsServiceIn(message, [...parts.keys()])
  const part = parts.get(service ?? '')
  return service === undefined || !part ? undefined : { name: `**${plain(service)}**`, by: phrase`Usage`, part }
}

function * total (message: string): Steps {
  const range = rangeOf(message)
  const subject = yield * subjectIn(message, range)
  const all = subject?.part ?? (yield * sums(message, range))
  if (all.byKey.size === 0) return phrase`There are no costs for ${range.label}.`
  const heading = subject?.by ?? headingOf(message)
  const sum = `**${money(all.total, all.currency)}**`
  const dates = datesOf(range)
  const intro = subject
    ? phrase`${sum} for ${subject.name}, ${range.label} (${dates}):`
    : phrase`${sum} for ${range.label} (${dates}):`
  return `${intro}\n\n${tableOf(all, heading)}`
}

const lastMonth = /\b(last|previous) month\b/i
/** Last month as what another is held against: "more than last month". */
const againstLastMonth =
  /\b(?:than|against|with|to|versus|vs\.?|over|since)\s+(?:in )?(?:the )?(?:last|previous)\b/i

/** As many days, right before. */
const daysBefore = ({ start, end }: Range): Range => {
  const length = (Date.parse(end) - Date.parse(start)) / day + 1
  const shifted = (date: string) => dateOf(new Date(Date.parse(date) - length * day))
  const before = length === 1 ? phrase`the day before` : phrase`the ${length} days before`
  return { label: before, start: shifted(start), end: shifted(end) }
}

/** The period that a message means, and the one that it is held against: half a month never against a whole one. */
const periodsOf = (message: string): [Range, Range] => {
  if (lastMonth.test(message) && !againstLastMonth.test(message)) {
    return [month(phrase`last month`, 1), month(phrase`the month before`, 2)]
  }
  const named = rangeOf(message)
  if (named.label !== phrase`this month`) return [named, daysBefore(named)]
  const whole = month('', 1)
  const sameDay = `${whole.start.slice(0, 8)}${String(new Date().getUTCDate()).padStart(2, '0')}`
  return [{ ...named, label: phrase`this month so far` },
    { ...whole, label: phrase`the same days of last month`, end: sameDay < whole.end ? sameDay : whole.end }]
}

function * compared (message: string): Steps {
  const [current, before] = periodsOf(message)
  const a = yield * sums(message, current)
  const b = yield * sums(message, before)
  const change = a.total - b.total
  const moved = [...new Set([...a.byKey.keys(), ...b.byKey.keys()])]
    .map((key) => [key, (a.byKey.get(key) ?? 0) - (b.byKey.get(key) ?? 0)] as const)
    .toSorted(([, x], [, y]) => Math.abs(y) - Math.abs(x)).slice(0, 5)
  const sign = (amount: number) => `${amount < 0 ? '−' : '+'}${money(Math.abs(amount), a.currency)}`
  const [now, then] = [`**${money(a.total, a.currency)}**`, money(b.total, b.currency)]
  const both = phrase`${now} ${current.label} (${datesOf(current)}), and ${then} ${before.label} (${datesOf(before)}): `
  return `${both}${sign(change)}. ${phrase`What changed most:`}\n\n` +
    `| ${headingOf(message)} | ${phrase`Change`} |\n|---|---:|\n` +
    moved.map(([key, by]) => `| ${plain(key)} | ${sign(by)} |`).join('\n')
}

/** "What did we spend this month, by service?", "Why did costs go up?" */
export const costs: Skill = (message) =>
  !asks.test(message) || others.test(message)
    ? undefined
    : comparison.test(message) ? compared(message) : total(message)
