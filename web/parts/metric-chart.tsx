import type { Schemas } from '../api/client'
import { locale } from '../texts/language'
import { say } from '../texts/say'
import { translate } from '../texts/translate'
import { Badge, StateBadge } from './badge'
import { formatCount } from './money'
import { Notice } from './notice'
import { Table } from './table'
import { formatExact, Time } from './time'
import './metric-chart.css'

type Series = Schemas['MetricSeries']
type Point = Schemas['MetricPoint']

const [width, height] = [600, 120]

const rounded = (value: number): number => Number(value.toPrecision(3))

/** @returns a value in its unit; seconds below one in milliseconds */
const formatValue = (value: number, unit: Series['unit']): string => {
  if (unit === 'percent') {
    return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(value / 100)
  }
  if (unit === 'count') return formatCount(rounded(value))
  const seconds = unit === 'seconds' ? value : value / 1_000
  return seconds < 1 ? `${formatCount(rounded(seconds * 1_000))} ms` : `${formatCount(rounded(seconds))} s`
}

const names = {
  cpu: 'metric.cpu',
  memory: 'metric.memory',
  requests: 'metric.requests',
  responses_5xx: 'metric.responses_5xx',
  errors: 'metric.errors',
  latency_p50: 'metric.latency_p50',
  latency_p95: 'metric.latency_p95',
  invocations: 'metric.invocations',
  throttles: 'metric.throttles',
  duration_p50: 'metric.duration_p50',
  duration_p95: 'metric.duration_p95'
} as const
const known = new Map<string, typeof names[keyof typeof names]>(Object.entries(names))

/** @returns the label of the server, in the language of the screen; a second target group says which one it is */
const nameOfSeries = ({ id, label, dimensions }: Series): string => {
  const [name = '', number] = id.split(/_(?=\d+$)/)
  const key = known.get(name)
  const said = key === undefined ? label : say(key)
  return number === undefined ? said : `${said} (${dimensions.TargetGroup?.split('/')[1] ?? number})`
}

/** Points of which none is missing between. */
const runsOf = (points: Point[], periodMs: number): Point[][] => {
  const runs: Point[][] = []
  let before = -Infinity
  for (const point of points) {
    const at = Date.parse(point.at)
    if (at - before > periodMs) runs.push([point])
    else runs.at(-1)?.push(point)
    before = at
  }
  return runs
}

interface Range { since: string, until: string, period_seconds: number }

/** Percentages have a scale that all of them share, unless one is above it. */
const topOf = ({ unit, summary }: Series): number => Math.max(summary?.max ?? 0, unit === 'percent' ? 100 : 0) || 1

const Lines = ({ series, range }: { series: Series, range: Range }) => {
  const [from, to] = [Date.parse(range.since), Date.parse(range.until)]
  const top = topOf(series)
  const spot = ({ at, value }: Point) =>
    `${((Date.parse(at) - from) / (to - from) * width).toFixed(1)} ${(height - Math.max(0, value) / top * height).toFixed(1)}`
  const runs = runsOf(series.points, range.period_seconds * 1_000)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio='none' aria-hidden='true'>
      {runs.map((run) => <path
        key={run[0]?.at}
        // A point that stands alone is a line of no length, which round ends show.
        class={run.length === 1 ? 'dot' : undefined} d={`M${run.map(spot).join('L')}${run.length === 1 ? 'h0' : ''}`}
      />)}
    </svg>
  )
}

const Summary = ({ series: { summary, unit } }: { series: Series }) => {
  if (!summary) return null
  const { sum, average, max, last } = summary
  const of = (value: number) => formatValue(value, unit)
  return (
    <dl class='metric-summary small'>
      {sum !== null && <><dt>{say('metrics.sum')}</dt><dd>{of(sum)}</dd></>}
      {average !== null && <><dt>{say('metrics.average')}</dt><dd>{of(average)}</dd></>}
      <dt>{say('metrics.max')}</dt><dd>{of(max)}</dd>
      <dt>{say('metrics.last')}</dt><dd>{of(last.value)} <span class='muted'>(<Time at={last.at} />)</span></dd>
    </dl>
  )
}

/** The same numbers to read: a chart is nothing for a screen reader, nor for who wants one value. */
const Values = ({ series, name }: { series: Series, name: string }) => <details class='small'>
  <summary>{say('metrics.values', { name })}</summary>
  <Table columns={[say('metrics.time'), { numeric: say('metrics.value') }]} cards={false}>
    {series.points.map(({ at, value }) => <tr key={at}>
      <td class='nowrap'>{formatExact(Date.parse(at))}</td><td class='numeric'>{formatValue(value, series.unit)}</td>
    </tr>)}
  </Table>
</details>

const Chart = ({ series, range }: { series: Series, range: Range }) => {
  const name = nameOfSeries(series)
  return (
    <section class='metric' aria-label={name}>
      <h3>{name} {series.status === 'no_data'
        ? <Badge>{say('state.no_data')}</Badge>
        : series.status !== 'data' && <StateBadge state={series.status} />}
      </h3>
      <Summary series={series} />
      {series.points.length > 0 && <>
        <div class='metric-plot'>
          <span class='small muted'>{formatValue(topOf(series), series.unit)}</span>
          <Lines series={series} range={range} />
        </div>
        <Values series={series} name={name} />
      </>}
      {series.reason && <p class='small muted'>{translate('services', series.reason)}</p>}
    </section>
  )
}

/** What CloudWatch measured: each series with its figures, its line and its values. */
export const MetricCharts = ({ metrics }: { metrics: Schemas['Metrics'] }) => <div class='stack tight'>
  {metrics.notes.map((note) => <Notice key={note} tone='warn'>{translate('services', note)}</Notice>)}
  <p class='small muted'>
    {say('metrics.range', {
      since: formatExact(Date.parse(metrics.since)),
      until: formatExact(Date.parse(metrics.until)),
      minutes: metrics.period_seconds / 60,
      region: metrics.region,
      account: metrics.account_name
    })}
  </p>
  <div class='metrics'>{metrics.series.map((series) => <Chart key={series.id} series={series} range={metrics} />)}</div>
</div>
