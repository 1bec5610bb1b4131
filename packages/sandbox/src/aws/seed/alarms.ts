import type { MetricAlarmState } from '../cloudwatch/alarms.js'
import { regionOf, type Account, type World } from '../core/world.js'
import { DAY } from './services.js'

type Sketch = Omit<MetricAlarmState, 'kind' | 'createdAt' | 'dimensions'> & { of: Record<string, string> }

const MAIN: Sketch[] = [
  {
    name: 'web-5xx',
    description: 'The shop answers with errors',
    namespace: 'AWS/ApplicationELB',
    metric: 'HTTPCode_Target_5XX_Count',
    of: { TargetGroup: 'targetgroup/web/6d0ecf831eec9f09', LoadBalancer: 'app/web/6d0ecf831eec9f09' },
    statistic: 'Sum',
    periodSeconds: 300,
    periods: 2,
    threshold: 50,
    operator: 'GreaterThanThreshold',
    missing: 'notBreaching'
  },
  {
    name: 'web-cpu-high',
    description: 'The shop needs more tasks',
    namespace: 'AWS/ECS',
    metric: 'CPUUtilization',
    of: { ClusterName: 'prod', ServiceName: 'web' },
    statistic: 'Average',
    periodSeconds: 300,
    periods: 3,
    threshold: 80,
    operator: 'GreaterThanThreshold',
    missing: 'missing'
  },
  {
    name: 'worker-not-running',
    description: 'No task of the worker reports: orders wait',
    namespace: 'AWS/ECS',
    metric: 'CPUUtilization',
    of: { ClusterName: 'prod', ServiceName: 'worker' },
    statistic: 'Average',
    periodSeconds: 300,
    periods: 3,
    threshold: 0,
    operator: 'LessThanThreshold',
    missing: 'breaching'
  },
  {
    name: 'nightly-report-fails',
    description: 'The report of the night has failed',
    namespace: 'AWS/Lambda',
    metric: 'Errors',
    of: { FunctionName: 'nightly-report' },
    statistic: 'Sum',
    periodSeconds: 21_600,
    periods: 1,
    threshold: 1,
    operator: 'GreaterThanOrEqualToThreshold',
    missing: 'notBreaching'
  }
]

const STAGING: Sketch = {
  name: 'mailer-staging-cpu-high',
  description: 'The next mailer is busy',
  namespace: 'AWS/ECS',
  metric: 'CPUUtilization',
  of: { ClusterName: 'staging', ServiceName: 'mailer-staging' },
  statistic: 'Average',
  periodSeconds: 300,
  periods: 3,
  threshold: 80,
  operator: 'GreaterThanThreshold',
  missing: 'missing'
}

/** Alarms of the first account: of the worker, which does not start, of the function that fails, and of what is well. */
export function seedAlarms (world: World, main: Account): void {
  const createdAt = world.clock.now() - 90 * DAY
  const make = ({ of, ...sketch }: Sketch): MetricAlarmState =>
    ({ kind: 'metric', createdAt, dimensions: Object.entries(of).map(([Name, Value]) => ({ Name, Value })), ...sketch })
  regionOf(main, 'eu-west-1').alarms = [
    ...MAIN.map(make),
    {
      kind: 'composite',
      name: 'orders',
      description: 'Something of the way of an order is down',
      of: ['web-5xx', 'worker-not-running'],
      createdAt
    }
  ]
  regionOf(main, 'us-east-1').alarms = [make(STAGING)]
}
