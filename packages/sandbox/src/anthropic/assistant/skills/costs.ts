import { isRecord } from '../../validate/shape.js'
import { plain } from '../render.js'
import { decimal, phrase } from '../speech/index.js'
import { comparison, periodsOf, rangeOf, type Range } from './cost-period.js'
import { awsServiceIn, mayName, unknownIn, valueIn } from './cost-subject.js'
import { read, type Skill, type Steps } from './skill.js'

const asks = /\b(costs?|spend|spent|spending|bills?|invoice|expensive|money|pay|paying|paid|charged?|charges)\b/i
/** "Compare October with September": of what there is a sum for each month. */
const comparesMonths = /\bcompare\b.*\b(january|february|march|april|may|june|july|august|september|october|november|december)\b/i
const others = /\b(budget|limit|alert|trigger|write|draft|post|spec|blog)\b/i

const datesOf = ({ start, end }: Range): string => start === end ? start : phrase`${start} to ${end}`

/** `credits`: what the total contains of credits and refunds, zero or below. */
interface Sums { total: number, credits: number, currency: string, byKey: Map<string, number> }

const sumsOf = (data: unknown): Sums => {
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

const money = (amount: number, currency: string): string => `${decimal(amount)} ${currency}`

const groupOf = (message: string): string =>
  /\b(by|per|each) (cloud )?account/i.test(message)
    ? 'LINKED_ACCOUNT'
    : /\b(by|per|each) region/i.test(message)
      ? 'REGION'
      : /\b(by|per|each) (the )?(tag )?team/i.test(message) ? 'TAG:team' : 'SERVICE'

const headingOf = (message: string): string => groupOf(message) === 'SERVICE' ? phrase`Service` : phrase`Group`

function * sums (message: string, { start, end }: Range): Steps<Sums> {
  const input = { start_date: start, end_date: end, granularity: 'MONTHLY', group_by: groupOf(message) }
  return sumsOf((yield * read('getCosts', input)).data)
}

const top = ({ byKey }: Sums) => [...byKey].toSorted(([, a], [, b]) => b - a)

const shareOf = (amount: number, { total }: Sums): string =>
  total === 0 ? '–' : `${Math.round(100 * amount / total)} %`

const tableOf = (all: Sums, heading: string): string => {
  const rows = top(all).slice(0, 8)
    .map(([key, amount]) => [plain(key), money(amount, all.currency), shareOf(amount, all)])
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
    const part = parts.get(first) ?? { total: 0, credits: 0, currency, byKey: new Map<string, number>() }
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
  const unknown = subject ? undefined : unknownIn(message)
  const intro = subject
    ? phrase`${sum} for ${subject.name}, ${range.label} (${dates}):`
    : phrase`${sum} for ${range.label} (${dates}):`
  const missing = unknown === undefined
    ? ''
    : `${phrase`No tag and no service of AWS is called "${plain(unknown)}". Everything together:`}\n\n`
  const credited = all.credits === 0
    ? ''
    : `\n\n${phrase`It includes ${money(all.credits, all.currency)} of credits and refunds.`}`
  return `${missing}${intro}\n\n${tableOf(all, heading)}${credited}`
}

function * compared (message: string): Steps {
  const [current, before] = periodsOf(message)
  const subject = yield * subjectIn(message, current)
  const a = subject?.part ?? (yield * sums(message, current))
  const b = subject
    ? (yield * subjectIn(message, before))?.part ?? { ...a, total: 0, credits: 0, byKey: new Map<string, number>() }
    : yield * sums(message, before)
  const change = a.total - b.total
  const moved = [...new Set([...a.byKey.keys(), ...b.byKey.keys()])]
    .map((key) => [key, (a.byKey.get(key) ?? 0) - (b.byKey.get(key) ?? 0)] as const)
    .toSorted(([, x], [, y]) => Math.abs(y) - Math.abs(x)).slice(0, 5)
  const sign = (amount: number) => `${amount < 0 ? '−' : '+'}${money(Math.abs(amount), a.currency)}`
  const [now, then] = [`**${money(a.total, a.currency)}**`, money(b.total, b.currency)]
  const both = phrase`${now} ${current.label} (${datesOf(current)}), and ${then} ${before.label} (${datesOf(before)}): `
  const of = subject ? `${subject.name}: ` : ''
  return `${of}${both}${sign(change)}. ${phrase`What changed most:`}\n\n` +
    `| ${subject?.by ?? headingOf(message)} | ${phrase`Change`} |\n|---|---:|\n` +
    moved.map(([key, by]) => `| ${plain(key)} | ${sign(by)} |`).join('\n')
}

/** "What did we spend this month, by service?", "Why did costs go up?" */
export const costs: Skill = (message) =>
  !(asks.test(message) || comparesMonths.test(message)) || others.test(message)
    ? undefined
    : comparison.test(message) ? compared(message) : total(message)
