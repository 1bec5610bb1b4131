import type { ComponentChildren } from 'preact'
import { formatMoney } from '../../parts/money'
import { Time } from '../../parts/time'
import { totalsOf, type Part } from './breakdown'
import { formatDay } from './range'
import type { Costs } from './use-costs'
import { locale } from '../../texts/language'
import { say } from '../../texts/say'

const percentIn = (tag: string) => new Intl.NumberFormat(tag,
  { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** @returns how much one amount is above another; undefined where nothing can be compared */
export const formatChange = (now: number, then: number): string | undefined =>
  then > 0 ? percentIn(locale()).format(now / then - 1) : undefined

export const formatSums = (parts: readonly Part[]): string => totalsOf(parts).map(formatMoney).join(' + ') || '–'

const Figure = ({ label, value, children }: { label: string, value: ComponentChildren, children: ComponentChildren }) =>
  <div class='figure'><span class='small muted'>{label}</span><strong>{value}</strong>{children}</div>

const Small = ({ children }: { children: ComponentChildren }) => <span class='small muted'>{children}</span>

/** @returns the daily part without the last day, which is not over */
export const wholeDays = (parts: readonly Part[], days: readonly string[], today: string): Part[] => parts
  .filter(({ once }) => !once)
  .map((part) => ({
    ...part, sum: part.values.reduce((sum, value, day) => days[day] === today ? sum : sum + value, 0)
  }))

/** Daily costs against as many days before; not where currencies are mixed. */
const Against = ({ costs: { parts, days, today }, before }: { costs: Costs, before: Part[] | undefined }) => {
  const [now, ...others] = totalsOf(wholeDays(parts, days, today))
  const [then, ...more] = totalsOf((before ?? []).filter(({ once }) => !once))
  if (!now || !then || others.length > 0 || more.length > 0 || now.currency !== then.currency) return null
  const change = formatChange(Number(now.amount), Number(then.amount))
  return change === undefined
    ? null
    : <Small>{say('cost.against', { change, then: formatMoney(then) })}</Small>
}

const Forecast = ({ costs: { report: { forecast }, spent } }: { costs: Costs }) => {
  const { mean, low, high, until, reason } = forecast
  if (forecast.status !== 'ok' || !mean) {
    return <Figure label={say('cost.expected')} value='–'><Small>{reason ?? say('cost.noForecast')}</Small></Figure>
  }
  const bound = (amount: string | null) => formatMoney({ amount: amount ?? mean.amount, currency: mean.currency })
  const so = totalsOf(spent).find(({ currency }) => currency === mean.currency)
  const whole = Number(so?.amount ?? 0) + Number(mean.amount)
  return (
    <Figure
      label={until ? say('cost.expected.until', { day: formatDay(until) }) : say('cost.expected')}
      value={formatMoney({ amount: String(whole), currency: mean.currency })}
    >
      <Small>{say('cost.soFar', { amount: formatMoney(so ?? { amount: '0', currency: mean.currency }) })}</Small>
      <Small>{low === null
        ? say('cost.remains', { amount: formatMoney(mean) })
        : say('cost.remains.between', { amount: formatMoney(mean), low: bound(low), high: bound(high) })}
      </Small>
      {reason && <Small>{reason}</Small>}
    </Figure>
  )
}

interface Props { costs: Costs, before: Part[] | undefined, isFiltered: boolean }

/** The sums of the range, what the month will cost, and how old all of it is. */
export const Figures = ({ costs, before, isFiltered }: Props) => {
  const { report: { source, estimated }, days, parts, credits } = costs
  const once = parts.filter((part) => part.once)
  return (
    <div class='card figures'>
      <Figure
        label={say('cost.days', { from: formatDay(days[0] ?? costs.today), to: formatDay(days.at(-1) ?? costs.today) })}
        value={formatSums(parts)}
      >
        <Against costs={costs} before={before} />
        {once.length > 0 && <Small>{say('cost.once.sum', { amount: formatSums(once) })}</Small>}
        {credits.length > 0 && <Small>{say('cost.credits', { amount: credits.map(formatMoney).join(' + ') })}</Small>}
        {estimated && <Small>{say('cost.estimated')}</Small>}
      </Figure>
      {isFiltered
        ? <Figure label={say('cost.expected')} value='–'>
          <Small>{say('cost.wholeAccounts')}</Small>
        </Figure>
        : <Forecast costs={costs} />}
      <Figure label={say('cost.read')} value={<Time at={source.fetched_at} />}>
        {source.stale && <Small>{say('cost.stale')}</Small>}
      </Figure>
    </div>
  )
}
