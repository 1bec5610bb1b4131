import type {
  CompositeAlarm, DescribeAlarmsInput, DescribeAlarmsOutput, MetricAlarm, StateValue
} from '@aws-sdk/client-cloudwatch'
import { AwsError } from '../core/errors.js'
import type { Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import type { Region } from '../core/world.js'
import { metricsOf, type MetricState } from './metrics.js'
import { pointsOf, statisticOf } from './statistics.js'

/** An alarm as it was made; its state follows from its metric. */
export interface MetricAlarmState {
  kind: 'metric'
  name: string
  description: string
  namespace: string
  metric: string
  dimensions: { Name: string, Value: string }[]
  statistic: 'Average' | 'Sum' | 'Maximum'
  periodSeconds: number
  periods: number
  threshold: number
  operator: 'GreaterThanThreshold' | 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold'
  missing: 'breaching' | 'notBreaching' | 'missing'
  createdAt: number
}

/** Fires while one of the others does. */
export interface CompositeAlarmState { kind: 'composite', name: string, description: string, of: string[], createdAt: number }

export type AlarmState = MetricAlarmState | CompositeAlarmState

const compare: Record<MetricAlarmState['operator'], (value: number, threshold: number) => boolean> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold
}

interface Verdict { state: StateValue, reason: string, at: number }

const words: Record<MetricAlarmState['operator'], string> = {
  GreaterThanThreshold: 'greater than',
  GreaterThanOrEqualToThreshold: 'greater than or equal to',
  LessThanThreshold: 'less than'
}

function judge (alarm: MetricAlarmState, metric: MetricState | undefined, end: number): Omit<Verdict, 'at'> {
  const { periods, periodSeconds, missing, operator, threshold } = alarm
  const from = end - periods * periodSeconds * 1000
  const statistic = statisticOf(alarm.statistic)
  const points = metric && statistic ? pointsOf(metric.samples(from, end), periodSeconds * 1000, statistic) : []
  const breaching = points.filter(({ value }) => compare[operator](value, threshold))
  const silent = periods - points.length
  if (points.length === 0 && missing === 'missing') {
    return { state: 'INSUFFICIENT_DATA', reason: `Insufficient Data: ${periods} datapoints were unknown.` }
  }
  const isAlarm = breaching.length + (missing === 'breaching' ? silent : 0) >= periods
  const said = points.length === 0
    ? `no datapoints were received for ${periods} periods and ${periods} missing datapoints were treated as ` +
      `[${missing === 'breaching' ? 'Breaching' : 'NonBreaching'}]`
    : `${breaching.length || points.length} out of the last ${periods} datapoints ` +
      `[${(breaching.length ? breaching : points).map(({ value }) => value).join(', ')}] was ` +
      `${breaching.length ? '' : 'not '}${words[operator]} the threshold (${threshold})`
  return { state: isAlarm ? 'ALARM' : 'OK', reason: `Threshold Crossed: ${said}.` }
}

/** So many periods back it is looked for when the state began; what is older began with the alarm, as far as is known. */
const LOOKED_BACK = 48

function verdictOf (alarm: MetricAlarmState, metrics: MetricState[], now: number): Verdict {
  const metric = metrics.find((one) => one.namespace === alarm.namespace && one.name === alarm.metric &&
    one.dimensions.length === alarm.dimensions.length && alarm.dimensions.every(({ Name, Value }) =>
    one.dimensions.some((own) => own.Name === Name && own.Value === Value)))
  const period = alarm.periodSeconds * 1000
  const end = Math.floor(now / period) * period
  const present = judge(alarm, metric, end)
  let at = end
  for (let back = 0; back < LOOKED_BACK; back++, at -= period) {
    if (judge(alarm, metric, at - period).state !== present.state) return { ...present, at }
  }
  return { ...present, at: alarm.createdAt }
}

const alarmArn = ({ name, accountId }: Region, alarm: string) => `arn:aws:cloudwatch:${name}:${accountId}:alarm:${alarm}`

const common = (region: Region, { name, description, createdAt }: AlarmState, { state, reason, at }: Verdict) => ({
  AlarmName: name,
  AlarmArn: alarmArn(region, name),
  AlarmDescription: description,
  AlarmConfigurationUpdatedTimestamp: seconds(createdAt),
  ActionsEnabled: true,
  OKActions: [],
  AlarmActions: [`arn:aws:sns:${region.name}:${region.accountId}:on-call`],
  InsufficientDataActions: [],
  StateValue: state,
  StateReason: reason,
  StateUpdatedTimestamp: seconds(at),
  StateTransitionedTimestamp: seconds(at)
})

const viewMetric = (region: Region, alarm: MetricAlarmState, verdict: Verdict): Wire<MetricAlarm> => ({
  ...common(region, alarm, verdict),
  MetricName: alarm.metric,
  Namespace: alarm.namespace,
  Statistic: alarm.statistic,
  Dimensions: alarm.dimensions,
  Period: alarm.periodSeconds,
  EvaluationPeriods: alarm.periods,
  DatapointsToAlarm: alarm.periods,
  Threshold: alarm.threshold,
  ComparisonOperator: alarm.operator,
  TreatMissingData: alarm.missing
})

/** It changes with the first that fires, or with the last that stops. */
function compositeVerdict ({ of }: CompositeAlarmState, verdicts: Map<string, Verdict>, region: Region): Verdict {
  const parts = of.flatMap((name) => verdicts.get(name) ?? [])
  const firing = parts.filter(({ state }) => state === 'ALARM')
  const first = of.find((name) => verdicts.get(name)?.state === 'ALARM')
  return firing.length > 0
    ? {
        state: 'ALARM',
        at: Math.min(...firing.map(({ at }) => at)),
        reason: `${alarmArn(region, first ?? '')} transitioned to ALARM`
      }
    : { state: 'OK', at: Math.max(0, ...parts.map(({ at }) => at)), reason: `${of.length} alarms are not in ALARM` }
}

const viewComposite = (region: Region, alarm: CompositeAlarmState, verdict: Verdict): Wire<CompositeAlarm> => ({
  ...common(region, alarm, verdict),
  AlarmRule: alarm.of.map((name) => `ALARM("${name}")`).join(' OR ')
})

type View = { kind: 'metric', alarm: Wire<MetricAlarm> } | { kind: 'composite', alarm: Wire<CompositeAlarm> }

function viewsOf (region: Region, now: number): View[] {
  const metrics = metricsOf(region)
  const own = region.alarms.filter((one) => one.kind === 'metric')
  const verdicts = new Map(own.map((one) => [one.name, verdictOf(one, metrics, now)]))
  return region.alarms.map((one): View => one.kind === 'metric'
    ? { kind: 'metric', alarm: viewMetric(region, one, verdicts.get(one.name) ?? verdictOf(one, metrics, now)) }
    : { kind: 'composite', alarm: viewComposite(region, one, compositeVerdict(one, verdicts, region)) })
}

/** Without types, CloudWatch answers metric alarms only. */
export function describeAlarms ({ region, input, now }: Call<DescribeAlarmsInput>): Wire<DescribeAlarmsOutput> {
  const { AlarmTypes: types = ['MetricAlarm'], AlarmNames: names, AlarmNamePrefix: prefix, StateValue: state } = input
  const kinds: Record<View['kind'], string> = { metric: 'MetricAlarm', composite: 'CompositeAlarm' }
  const found = viewsOf(region, now)
    .filter(({ kind }) => types.some((type) => type === kinds[kind]))
    .filter(({ alarm }) => names === undefined || names.includes(alarm.AlarmName ?? ''))
    .filter(({ alarm }) => prefix === undefined || alarm.AlarmName?.startsWith(prefix))
    .filter(({ alarm }) => state === undefined || alarm.StateValue === state)
  const rule = { fallback: 50, max: 100, error: (message: string) => new AwsError('InvalidNextToken', message) }
  const { items, nextToken } = page(found, 'alarms', { size: input.MaxRecords, token: input.NextToken }, rule)
  return {
    MetricAlarms: items.flatMap((one) => one.kind === 'metric' ? [one.alarm] : []),
    CompositeAlarms: items.flatMap((one) => one.kind === 'composite' ? [one.alarm] : []),
    NextToken: nextToken
  }
}
