import type { Schemas } from '../../api/client'
import { MetricCharts } from '../../parts/metric-chart'
import type { ViewProps } from '../../results/operation'

/** What a service or a function was measured at. */
export default function MetricsResult ({ result }: ViewProps<Schemas['Metrics']>) {
  return <MetricCharts metrics={result} />
}
