import { Time } from './time'
import { StateBadge } from './badge'
import { formatCount, formatMoney } from './money'
import { say } from '../texts/say'

export type Row = Record<string, unknown>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isMoney = (value: unknown): value is { amount: string, currency: string } =>
  isRow(value) && typeof value.amount === 'string' && typeof value.currency === 'string'
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)
const stateKeys = new Set(['status', 'state', 'health', 'risk'])

/** One value of the API in a format for its type; objects are shown as JSON. */
export const Value = ({ name, value }: { name: string, value: unknown }) => {
  if (value === null || value === undefined) return <span class='muted'>–</span>
  if (isMoney(value)) return <>{formatMoney(value)}</>
  if (isTime(value)) return <Time at={value} />
  if (typeof value === 'number') return <>{formatCount(value)}</>
  if (typeof value === 'boolean') return <>{value ? say('value.yes') : say('value.no')}</>
  if (typeof value === 'string') return stateKeys.has(name) ? <StateBadge state={value} /> : <>{value}</>
  if (Object.keys(value as object).length === 0) return <span class='muted'>{say('value.none')}</span>
  return <code>{JSON.stringify(value)}</code>
}
