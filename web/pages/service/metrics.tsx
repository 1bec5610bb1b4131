import type { Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { MetricCharts } from '../../parts/metric-chart'
import { Loaded } from '../../parts/states'
import { useFilters } from '../../shell/location'
import { say } from '../../texts/say'

const ranges = ['1h', '3h', '1d', '7d'] as const
const usual = '3h'
/** CloudWatch is paid by the series, and its points come a minute late. */
const everyMs = 60_000

const labels = { '1h': 'metrics.hour', '3h': 'metrics.hours', '1d': 'metrics.day', '7d': 'metrics.week' } as const

interface Props { id: string, read: (since: string, signal: AbortSignal) => Promise<Schemas['Metrics']> }

/** The charts of a service or a function, of a range that can be linked to. */
export const Metrics = ({ id, read }: Props) => {
  const { since } = useFilters(['since'])
  const shown = ranges.find((range) => range === since.value) ?? usual
  const metrics = useResource([id, shown], (signal) => read(shown, signal), { every: everyMs })
  return (
    <section class='stack' aria-label={say('metrics.title')}>
      <div class='row spread'>
        <h2>{say('metrics.title')}</h2>
        <label class='field'><span class='unseen'>{say('metrics.since')}</span>
          <select value={shown} onChange={(event) => { since.value = event.currentTarget.value }}>
            {ranges.map((range) => <option key={range} value={range}>{say(labels[range])}</option>)}
          </select>
        </label>
      </div>
      <Loaded of={metrics}>{(data) => <MetricCharts metrics={data} />}</Loaded>
    </section>
  )
}
