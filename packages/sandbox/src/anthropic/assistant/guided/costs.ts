import { isRecord } from '../../validate/shape.js'
import type { Guide } from './guide.js'
import { read, type Reply, type Steps } from './steps.js'
import { plain } from './texts.js'

const day = 86_400_000
const mostRows = 8

/** Days, both included. */
interface Range { start: string, end: string }

const formatDay = (date: Date): string => date.toISOString().slice(0, 10)

/** @returns the month that lies so many months back, up to today at the most */
const monthBack = (back: number): Range => {
  const now = new Date()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - back]
  const last = new Date(Date.UTC(year, month + 1, 0))
  return { start: formatDay(new Date(Date.UTC(year, month, 1))), end: formatDay(last > now ? now : last) }
}

/** @returns as many days, right before */
const daysBefore = ({ start, end }: Range): Range => {
  const length = (Date.parse(end) - Date.parse(start)) / day + 1
  const shift = (date: string) => formatDay(new Date(Date.parse(date) - length * day))
  return { start: shift(start), end: shift(end) }
}

/** `credits`: what the total contains of credits and refunds, zero or below. */
interface Sums { total: number, credits: number, currency: string, byKey: Map<string, number> }

function sumUp (data: unknown): Sums {
  const byKey = new Map<string, number>()
  let currency = 'USD'
  let credits = 0
  for (const period of isRecord(data) && Array.isArray(data.periods) ? data.periods.filter(isRecord) : []) {
    for (const group of Array.isArray(period.groups) ? period.groups.filter(isRecord) : []) {
      const key = Array.isArray(group.keys) ? group.keys.join(', ') : String(group.key ?? 'other')
      byKey.set(key, (byKey.get(key) ?? 0) + Number(group.amount ?? 0))
      credits += Number(group.credits ?? 0)
      if (typeof group.currency === 'string') currency = group.currency
    }
  }
  return { total: [...byKey.values()].reduce((sum, amount) => sum + amount, 0), credits, currency, byKey }
}

function * readSums ({ start, end }: Range, groupBy: string): Steps<Sums> {
  const input = { start_date: start, end_date: end, granularity: 'MONTHLY', group_by: groupBy }
  return sumUp((yield * read('getCosts', input)).data)
}

const money = ({ language }: Guide, amount: number, currency: string): string =>
  `${new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount)} ${currency}`

const share = (amount: number, { total }: Sums): string => total === 0 ? '–' : `${Math.round(100 * amount / total)} %`

function table (guide: Guide, sums: Sums, heading: string): string {
  const { say } = guide
  const rows = [...sums.byKey].toSorted(([, a], [, b]) => b - a).slice(0, mostRows)
    .map(([key, amount]) => `| ${plain(key)} | ${money(guide, amount, sums.currency)} | ${share(amount, sums)} |`)
  const rest = sums.byKey.size - rows.length
  return `| ${heading} | ${say('Cost', 'Kosten')} | ${say('Share', 'Anteil')} |\n|---|---:|---:|\n${rows.join('\n')}` +
    (rest > 0 ? `\n\n${say(`${rest} smaller ones are not shown.`, `${rest} kleinere fehlen hier.`)}` : '')
}

const followUpsOf = (guide: Guide): string[] =>
  [guide.button('costsRose'), guide.button('lastMonth'), guide.button('byRegion')]

/** What was spent in a month, by service or by region. */
export const showCosts = (back: number, group: 'SERVICE' | 'REGION') => function * (guide: Guide): Steps {
  const { say } = guide
  const range = monthBack(back)
  const sums = yield * readSums(range, group)
  const dates = say(`${range.start} to ${range.end}`, `${range.start} bis ${range.end}`)
  if (sums.byKey.size === 0) {
    return { text: say(`There are no costs for ${dates}.`, `Für ${dates} gibt es keine Kosten.`) }
  }
  const heading = group === 'SERVICE' ? say('Service', 'Service') : say('Region', 'Region')
  const credits = sums.credits === 0
    ? ''
    : `\n\n${say(`This includes ${money(guide, sums.credits, sums.currency)} in credits and refunds.`,
      `Darin sind ${money(guide, sums.credits, sums.currency)} an Gutschriften und Erstattungen.`)}`
  return {
    text: `**${money(guide, sums.total, sums.currency)}**, ${dates}:\n\n${table(guide, sums, heading)}${credits}\n\n` +
      `[${say('Open Costs', 'Kosten öffnen')}](/costs)`,
    next: followUpsOf(guide)
  } satisfies Reply
}

/** Why did costs change? The month so far beside as many days before it, by what changed most. */
export function * explainCosts (guide: Guide): Steps {
  const { say } = guide
  const now = monthBack(0)
  const before = daysBefore(now)
  const [a, b] = [yield * readSums(now, 'SERVICE'), yield * readSums(before, 'SERVICE')]
  const sign = (amount: number) => `${amount < 0 ? '−' : '+'}${money(guide, Math.abs(amount), a.currency)}`
  const moved = [...new Set([...a.byKey.keys(), ...b.byKey.keys()])]
    .map((key) => [key, (a.byKey.get(key) ?? 0) - (b.byKey.get(key) ?? 0)] as const)
    .toSorted(([, x], [, y]) => Math.abs(y) - Math.abs(x)).slice(0, 5)
  const both = say(
    `**${money(guide, a.total, a.currency)}** from ${now.start} to ${now.end}, and ` +
    `${money(guide, b.total, b.currency)} in as many days before (${before.start} to ${before.end}): `,
    `**${money(guide, a.total, a.currency)}** von ${now.start} bis ${now.end}, und ` +
    `${money(guide, b.total, b.currency)} in ebenso vielen Tagen davor (${before.start} bis ${before.end}): `)
  return {
    text: `${both}${sign(a.total - b.total)}. ${say('What changed most:', 'Am meisten geändert hat sich:')}\n\n` +
      `| ${say('Service', 'Service')} | ${say('Change', 'Änderung')} |\n|---|---:|\n` +
      moved.map(([key, by]) => `| ${plain(key)} | ${sign(by)} |`).join('\n'),
    next: [guide.button('byRegion'), guide.button('lastMonth')]
  } satisfies Reply
}
