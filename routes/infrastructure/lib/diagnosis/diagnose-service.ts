import { ApiError } from '../../../../schemas/errors.js'
import type { Alarm } from '../../../../schemas/infrastructure/alarms.js'
import type { Diagnosis, DiagnosisFinding, FindingWeight } from '../../../../schemas/infrastructure/diagnosis.js'
import type { LogEvent } from '../../../../schemas/infrastructure/logs.js'
import type { ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { readServiceAlarms } from '../alarms/read-alarms.js'
import type { Deps } from '../errors.js'
import { findServiceLogs } from '../logs/find-logs.js'
import { readOlder } from '../logs/page-logs.js'
import { complaint } from '../services/describe-service.js'
import { loadService, readService } from '../services/read-service.js'
import type { ServiceRef } from '../services/resolve.js'

/** Any of them: what programs write before they end. */
const errorPattern = '?ERROR ?Error ?error ?FATAL ?Fatal ?fatal ?Exception ?panic'
const logged = { since: '1h', filter: errorPattern, limit: 10 }
const mostEvents = 5
const mostText = 500

const shortened = (text: string): string => text.length > mostText ? `${text.slice(0, mostText)}…` : text

const countsWeight = ({ desired_count: desired, running_count: running }: ServiceDetail): FindingWeight => {
  if (running >= desired) return 'low'
  return running === 0 ? 'high' : 'medium'
}

const findCounts = (service: ServiceDetail, at: string): DiagnosisFinding => ({
  kind: 'counts',
  weight: countsWeight(service),
  text: `${service.running_count} of ${service.desired_count} tasks run, ${service.pending_count} are pending`,
  at,
  source: { operation: 'ecs:DescribeServices', id: service.arn }
})

const findHealthChecks = ({ tasks }: ServiceDetail, at: string): DiagnosisFinding[] =>
  (tasks ?? []).filter(({ health }) => health === 'unhealthy').map(({ id }) => ({
    kind: 'health_check',
    weight: 'high',
    text: `Task ${id} runs and is unhealthy by its health check`,
    at,
    source: { operation: 'ecs:DescribeTasks', id }
  }))

const deploymentWeight = (failed: number, state: string | null): FindingWeight => {
  if (state === 'FAILED' || failed > 0) return 'high'
  return state === 'IN_PROGRESS' ? 'medium' : 'low'
}

const findDeployments = ({ deployments }: ServiceDetail): DiagnosisFinding[] => deployments.map((deployment) => {
  const { id, rollout_state: state, rollout_reason: reason, running, desired, failed, created_at: at } = deployment
  const revision = deployment.task_definition.split('/').at(-1) ?? ''
  const counts = `${running} of ${desired} tasks run, ${failed} failed`
  return {
    kind: 'deployment',
    weight: deploymentWeight(failed, state),
    text: `Deployment of ${revision} is ${state ?? deployment.status}: ${counts}${reason === null ? '' : `. ${reason}`}`,
    at,
    source: { operation: 'ecs:DescribeServices', id }
  }
})

const findStopped = ({ recent_failures: failures }: ServiceDetail): DiagnosisFinding[] => (failures ?? []).map((failure) => ({
  kind: 'task_stopped',
  weight: 'high',
  text: shortened(`${failure.count === 1 ? '1 task' : `${failure.count} tasks`} stopped lately: ${failure.reason}`),
  at: failure.stopped_at,
  source: { operation: 'ecs:DescribeTasks', id: failure.task_id }
}))

const findEvents = ({ events }: ServiceDetail): DiagnosisFinding[] => events.slice(0, mostEvents).map(({ id, at, message }) => ({
  kind: 'event',
  weight: complaint.test(message) ? 'medium' : 'low',
  text: shortened(message),
  at,
  source: { operation: 'ecs:DescribeServices', id }
}))

const findAlarms = (alarms: Alarm[]): DiagnosisFinding[] => alarms.filter(({ state }) => state === 'alarm').map((alarm) => ({
  kind: 'alarm',
  weight: 'medium',
  text: shortened(`Alarm ${alarm.name} fires: ${alarm.reason ?? 'CloudWatch gives no reason'}`),
  at: alarm.since,
  source: { operation: 'cloudwatch:DescribeAlarms', id: alarm.arn }
}))

const findLines = (lines: LogEvent[]): DiagnosisFinding[] => lines.map(({ message, timestamp: at, group, stream }) => ({
  kind: 'log', weight: 'medium', text: shortened(message), at, source: { operation: 'logs:FilterLogEvents', id: `${group} ${stream}` }
}))

/** Reads a part of the answer: where that fails, a line of what was not read replaces it. */
const reading = async <T>(unread: string[], what: string, work: Promise<T[]>): Promise<T[]> => work.catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error
  unread.push(`${what} could not be read: ${error.message}`)
  return []
})

const readLines = async (deps: Deps, ref: ServiceRef, unread: string[]): Promise<LogEvent[]> => {
  const logs = await findServiceLogs(deps, ref, logged)
  const { items, sources, notes } = await readOlder(deps, logs, logged)
  const silent = sources.filter(({ status }) => status !== 'ok' && status !== 'missing')
  unread.push(...notes, ...silent.map(({ container, group, detail }) =>
    `Logs of ${container ?? group} could not be read: ${detail ?? 'no reason was given'}`))
  return items
}

const ranks: Record<FindingWeight, number> = { high: 0, medium: 1, low: 2 }
const timeOf = ({ at }: DiagnosisFinding): number => at === null ? 0 : new Date(at).getTime()

/** What no client here asks: said, so that nobody takes silence for health. */
const neverRead = ({ ports }: ServiceDetail): string[] => ports?.some(({ load_balancer: balancer }) => balancer !== null)
  ? ['The health of targets is not read: Steward does not ask load balancers']
  : []

/**
 * Gathers what a person would look up, the heaviest first, of the same weight the newest. Nothing is concluded.
 * @throws service_not_found, and what AWS answers about the service itself
 */
export const diagnoseService = async (deps: Deps, ref: ServiceRef): Promise<Diagnosis> => {
  const service = await readService(deps, ref)
  const unread = [...service.notes]
  const [alarms, lines] = await Promise.all([
    reading(unread, 'Alarms', loadService(deps, ref).then((found) => readServiceAlarms(deps, ref, found))),
    reading(unread, 'Logs', readLines(deps, ref, unread))
  ])
  const readAt = new Date().toISOString()
  const findings = [
    findCounts(service, readAt), ...findHealthChecks(service, readAt), ...findStopped(service), ...findDeployments(service),
    ...findAlarms(alarms), ...findLines(lines), ...findEvents(service)
  ]
  return {
    service_id: service.id,
    name: service.name,
    cluster: service.cluster,
    account_id: service.account_id,
    account_name: service.account_name,
    region: service.region,
    health: service.health,
    health_reason: service.health_reason,
    findings: findings.toSorted((a, b) => ranks[a.weight] - ranks[b.weight] || timeOf(b) - timeOf(a)),
    unread: [...unread, ...neverRead(service)],
    read_at: readAt
  }
}
