import type { MetricSeries, MetricUnit } from '../../../../schemas/infrastructure/metrics.js'

/** A series that is asked for. */
export interface Measured extends Pick<MetricSeries, 'id' | 'label' | 'namespace' | 'metric' | 'dimensions' | 'statistic'> {
  unit: MetricUnit
  /** Why CloudWatch may have nothing of it. */
  silence: string
}

type Shape = Pick<Measured, 'namespace' | 'dimensions' | 'silence'>

const seriesOf = (shape: Shape) => (id: string, label: string, metric: string, unit: MetricUnit, statistic: string): Measured =>
  ({ id, label, metric, unit, statistic, ...shape })

export const measuredOfService = (cluster: string, service: string): Measured[] => {
  const series = seriesOf({
    namespace: 'AWS/ECS',
    dimensions: { ClusterName: cluster, ServiceName: service },
    silence: 'ECS reports it only while tasks of the service run'
  })
  return [
    series('cpu', 'CPU', 'CPUUtilization', 'percent', 'Average'),
    series('memory', 'Memory', 'MemoryUtilization', 'percent', 'Average')
  ]
}

/** @param suffix where a service has several target groups */
export const measuredOfTargets = (targetGroup: string, loadBalancer: string, suffix: string): Measured[] => {
  const series = seriesOf({
    namespace: 'AWS/ApplicationELB',
    dimensions: { TargetGroup: targetGroup, LoadBalancer: loadBalancer },
    silence: 'A load balancer reports only what is not 0, and times only of requests'
  })
  return [
    series(`requests${suffix}`, 'Requests', 'RequestCount', 'count', 'Sum'),
    series(`responses_5xx${suffix}`, 'Responses with 5xx', 'HTTPCode_Target_5XX_Count', 'count', 'Sum'),
    series(`latency_p50${suffix}`, 'Response time, median', 'TargetResponseTime', 'seconds', 'p50'),
    series(`latency_p95${suffix}`, 'Response time, 95th percentile', 'TargetResponseTime', 'seconds', 'p95')
  ]
}

export const measuredOfFunction = (name: string): Measured[] => {
  const series = seriesOf({
    namespace: 'AWS/Lambda',
    dimensions: { FunctionName: name },
    silence: 'Lambda reports it only when the function is invoked'
  })
  return [
    series('invocations', 'Invocations', 'Invocations', 'count', 'Sum'),
    series('errors', 'Errors', 'Errors', 'count', 'Sum'),
    series('throttles', 'Throttles', 'Throttles', 'count', 'Sum'),
    series('duration_p50', 'Duration, median', 'Duration', 'milliseconds', 'p50'),
    series('duration_p95', 'Duration, 95th percentile', 'Duration', 'milliseconds', 'p95')
  ]
}
