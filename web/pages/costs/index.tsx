import { ChartColumn } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { formatMoney } from '../../parts/money'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useChoice } from '../../shell/location'
import { Before } from './before'
import { CostChart } from './chart'
import { lastDays } from './range'
import { colors, nameOf, seriesOf } from './series'
import './costs.css'

type Report = Schemas['CostReport']

const ranges = { 14: '14 days', 30: '30 days', 90: '90 days' } as const

type Days = `${keyof typeof ranges}`
const isRange = (text: string): text is Days => text in ranges

const describeForecast = ({ status, mean, reason }: Report['forecast']): string =>
  status === 'ok' ? formatMoney(mean) : reason ?? '–'

const formatBound = ({ forecast }: Report, bound: 'low' | 'high'): string => formatMoney(
  forecast.mean && { amount: forecast[bound] ?? forecast.mean.amount, currency: forecast.mean.currency })

const Figures = ({ report }: { report: Report }) => <div class='card figures'>
  <div class='figure'><span class='small muted'>{report.start_date} to {report.end_date}</span>
    <strong>{report.totals.map(formatMoney).join(' + ') || '–'}</strong>
    <Before report={report} />
    {report.estimated && <span class='small muted'>the last days are estimates</span>}
  </div>
  <div class='figure'>
    <span class='small muted'>Still to come{report.forecast.until ? ` until ${report.forecast.until}` : ''}</span>
    <strong>{describeForecast(report.forecast)}</strong>
    {report.forecast.low !== null && <span class='small muted'>
      between {formatBound(report, 'low')} and {formatBound(report, 'high')}
    </span>}
  </div>
  <div class='figure'><span class='small muted'>Read</span>
    <strong><Time at={report.source.fetched_at} /></strong>
    {report.source.stale && <span class='small muted'>older than it should be</span>}
  </div>
</div>

const ByService = ({ report }: { report: Report }) => <section class='card flush' aria-label='By service'>
  <Table columns={['Service', { numeric: 'Cost' }, { numeric: 'Share' }]}>
    {report.by_group.map((group, index) => <tr key={nameOf(group.keys)}>
        <td><span class='swatch' style={{ background: colors[Math.min(index, colors.length - 1)] }} />
          {nameOf(group.keys)}
        </td>
        <td class='numeric'>{formatMoney(group)}</td>
        <td class='numeric'>{(Number(group.share) * 100).toFixed(1)} %</td>
    </tr>)}
  </Table>
</section>

const Costs = ({ report }: { report: Report }) => report.by_group.length === 0
  ? <div class='card'><Empty icon={ChartColumn} title='No costs in these days'>
    <p>Cost Explorer shows a day about 24 hours after it ended.</p>
  </Empty>
  </div>
  : <>
    <Figures report={report} />
    <section class='card' aria-label='Costs by day'>
      <CostChart report={report} series={seriesOf(report)} />
    </section>
    <ByService report={report} />
  </>

export default function CostsPage () {
  const days = useChoice<Days>('days', ranges, '30')
  const report = useResource([days.value], (signal) => body(api.GET('/cloud/costs', {
    params: {
      query: {
        ...lastDays(Number(days.value)),
        granularity: 'DAILY',
        group_by: 'SERVICE',
        forecast: true
      }
    },
    signal
  })))
  const choice = (
    <label class='row fixed tight'><span class='small muted'>Last</span>
      <select
        value={days.value} onChange={({ currentTarget: { value } }) => { if (isRange(value)) days.value = value }}
      >
        {Object.entries(ranges).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </label>
  )
  return (
    <div class='page'>
      <PageHead title='Costs' actions={choice}>By service and day, over all accounts.</PageHead>
      <PartialNotice of={report.data} />
      <Loaded of={report}>{(data) => <Costs report={data} />}</Loaded>
    </div>
  )
}
