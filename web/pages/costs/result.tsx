import { useMemo } from 'preact/hooks'
import type { Answer, ViewProps } from '../../results/operation'
import { formatMoney } from '../../parts/money'
import { DataTable } from '../../parts/data-table'
import { breakDown } from './breakdown'
import { CostChart } from './chart'
import { formatDay } from './range'
import { seriesOf } from './series'
import { locale } from '../../texts/language'
import { say } from '../../texts/say'
import './costs.css'

const percentIn = (tag: string) =>
  new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })

const nameOf = ({ keys }: { keys: readonly string[] }): string => keys.join(' · ') || say('cost.other')

/** The chart of costs; what was charged once is in it, as it is in the table. */
const Chart = ({ of: { periods, totals } }: { of: Answer<'getCosts'> }) => {
  const days = useMemo(() => periods.map(({ start }) => start), [periods])
  const series = useMemo(() => seriesOf('Service', breakDown(periods, { keep: () => true, nameOf })), [periods])
  return <CostChart days={days} currency={totals[0]?.currency ?? 'USD'} series={series} />
}

/** Costs as a chart and as a table. */
export default function CostResult ({ result }: ViewProps<Answer<'getCosts'>>) {
  const percent = percentIn(locale())
  const credits = result.credits.map(formatMoney).join(' + ')
  const rows = result.by_group.map(({ keys, amount, currency, share }) =>
    ({ group: nameOf({ keys }), cost: { amount, currency }, share: percent.format(Number(share)) }))
  return (
    <div class='stack tight'>
      <p><strong>{result.totals.map(formatMoney).join(' + ') || '–'}</strong>{' '}
        <span class='small muted'>
          {credits && `${say('cost.credits', { amount: credits })} `}
          {say(result.estimated ? 'cost.result.estimated' : 'cost.result.days',
            { from: formatDay(result.start_date), to: formatDay(result.end_date) })}
          {result.forecast.mean && say('cost.result.coming', {
            amount: formatMoney(result.forecast.mean),
            day: result.forecast.until ? formatDay(result.forecast.until) : '–'
          })}
        </span>
      </p>
      {result.periods.length > 1 && result.totals.length === 1 && rows.length > 0 && <Chart of={result} />}
      {rows.length > 0 && <DataTable rows={rows} columns={['group', 'cost', 'share']} />}
    </div>
  )
}
