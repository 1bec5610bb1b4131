import type { CloudWatch, CompositeAlarm, Dimension, MetricAlarm } from '@aws-sdk/client-cloudwatch'
import type { Service } from '@aws-sdk/client-ecs'
import type { Principal } from '../../../../lib/security/principal.js'
import { collectPages } from '../../../../lib/aws/pages.js'
import { consoleOf } from '../../../../schemas/cloud/accounts.js'
import type { Alarm, AlarmMetric, AlarmQuery, AlarmState } from '../../../../schemas/infrastructure/alarms.js'
import { gather, listSources, type Deps, type Gathered, type Source, type SourceRead } from '../errors.js'
import { makeId } from '../identity.js'
import { targetGroupsOf } from '../services/describe-service.js'
import { loadService } from '../services/read-service.js'
import { resolveService, type ServiceRef } from '../services/resolve.js'

const ttlMs = 10_000
/** 5,000 alarms a region, of a hundred a page. */
const maxPages = 60

/** Without their types CloudWatch leaves the composite alarms out. */
const load = (cloudwatch: CloudWatch): Promise<(MetricAlarm | CompositeAlarm)[]> =>
  collectPages({ what: 'DescribeAlarms', maxPages }, async (NextToken) => {
    const page = await cloudwatch.describeAlarms({
      AlarmTypes: ['CompositeAlarm', 'MetricAlarm'], MaxRecords: 100, NextToken
    })
    return { items: [...page.CompositeAlarms ?? [], ...page.MetricAlarms ?? []], next: page.NextToken }
  })

const states: Record<string, AlarmState> = { ALARM: 'alarm', OK: 'ok', INSUFFICIENT_DATA: 'insufficient_data' }

const byName = (dimensions: Dimension[] = []): Record<string, string> =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name ?? '', Value ?? '']))

/** Of one metric, or of an expression of several. */
const metricsOf = (alarm: MetricAlarm): AlarmMetric[] => [
  ...(alarm.MetricName === undefined
    ? []
    : [{
        namespace: alarm.Namespace ?? '',
        metric: alarm.MetricName,
        dimensions: byName(alarm.Dimensions),
        statistic: alarm.Statistic ?? alarm.ExtendedStatistic ?? null,
        period_seconds: alarm.Period ?? null
      }]),
  ...(alarm.Metrics ?? []).flatMap(({ MetricStat: stat }) => stat?.Metric === undefined
    ? []
    : [{
        namespace: stat.Metric.Namespace ?? '',
        metric: stat.Metric.MetricName ?? '',
        dimensions: byName(stat.Metric.Dimensions),
        statistic: stat.Stat ?? null,
        period_seconds: stat.Period ?? null
      }])
]

/** @returns such as "GreaterThanThreshold 70 for 2 of 3 periods"; null for one whose threshold is a metric too */
const conditionOf = (alarm: MetricAlarm): string | null => {
  const { ComparisonOperator: operator, Threshold: threshold, EvaluationPeriods: periods } = alarm
  if (operator === undefined || threshold === undefined || periods === undefined) return null
  return `${operator} ${threshold} for ${alarm.DatapointsToAlarm ?? periods} of ${periods} periods`
}

const isComposite = (alarm: MetricAlarm | CompositeAlarm): alarm is CompositeAlarm => 'AlarmRule' in alarm

const describe = ({ account, region }: Source, alarm: MetricAlarm | CompositeAlarm): Alarm => {
  const name = alarm.AlarmName ?? ''
  const at = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp
  return {
    id: makeId(account.id, region, name),
    arn: alarm.AlarmArn ?? '',
    name,
    description: alarm.AlarmDescription || null,
    account_id: account.id,
    account_name: account.name,
    environment: account.environment,
    region,
    kind: isComposite(alarm) ? 'composite' : 'metric',
    state: states[alarm.StateValue ?? ''] ?? 'unknown',
    since: at ? at.toISOString() : null,
    reason: alarm.StateReason || null,
    metrics: isComposite(alarm) ? [] : metricsOf(alarm),
    condition: isComposite(alarm) ? null : conditionOf(alarm),
    rule: isComposite(alarm) ? alarm.AlarmRule ?? null : null,
    actions_enabled: alarm.ActionsEnabled ?? false,
    console_url: `${consoleOf(account.partition, region)}/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name)}`
  }
}

const alarmsIn = ({ aws }: Deps): SourceRead<Alarm> => ({
  name: 'alarms',
  ttlMs,
  read: async (source) => (await load(await aws.client('cloudwatch', source.account, source.region)))
    .map((alarm) => describe(source, alarm))
})

/** @returns those that name the service or a target group of it, and the composite ones that are made of such */
const ofService = (alarms: Alarm[], { cluster, service }: ServiceRef, groups: string[]): Alarm[] => {
  const own = alarms.filter(({ metrics }) => metrics.some(({ dimensions }) =>
    (dimensions.ClusterName === cluster && dimensions.ServiceName === service) ||
    groups.includes(dimensions.TargetGroup ?? '')))
  const names = own.flatMap(({ name, arn }) => [name, arn])
  const composite = alarms.filter(({ rule }) => rule !== null && names.some((name) =>
    [`("${name}")`, `(${name})`, `('${name}')`].some((text) => rule.replaceAll(' ', '').includes(text.replaceAll(' ', '')))))
  return [...own, ...composite]
}

/** @throws what AWS answers */
export const readServiceAlarms = async (deps: Deps, ref: ServiceRef, service: Service): Promise<Alarm[]> => {
  const { found } = await gather(deps, [ref], alarmsIn(deps))
  return ofService(found, ref, targetGroupsOf(service))
}

/** @throws service_not_found of one that is named, and the source's error when no source answered */
export const listAlarms = async (deps: Deps, principal: Principal, { service, state, ...filter }: AlarmQuery):
Promise<Gathered<Alarm>> => {
  const only = (alarms: Alarm[]) => alarms.filter((alarm) => state === undefined || alarm.state === state)
  if (service === undefined) {
    const listed = await gather(deps, await listSources(deps, principal, filter), alarmsIn(deps))
    return { ...listed, found: only(listed.found) }
  }
  const ref = await resolveService(deps, principal, service)
  const listed = await gather(deps, [ref], alarmsIn(deps))
  return { ...listed, found: only(ofService(listed.found, ref, targetGroupsOf(await loadService(deps, ref)))) }
}
