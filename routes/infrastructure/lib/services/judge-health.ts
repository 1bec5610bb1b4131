import type { Service, Task } from '@aws-sdk/client-ecs'
import type { Health, TaskFailure } from '../../../../schemas/infrastructure/services.js'

export interface Judgement { health: Health, health_reason: string | null }

const recentMs = 600_000
const restless = 3

const complaint = /unable to|unhealthy|failed|was stopped|not able|throttled|insufficient/i

/** @returns the newest event of the last ten minutes that reports a problem */
const complaintOf = (service: Service): string | null => {
  const since = Date.now() - recentMs
  const event = service.events?.find(({ createdAt, message }) =>
    (createdAt?.getTime() ?? 0) > since && complaint.test(message ?? ''))
  return event?.message ?? null
}

const judgement = (health: Health, ...reasons: (string | null | undefined)[]): Judgement =>
  ({ health, health_reason: reasons.find((reason) => reason) ?? null })

const shortfall = (service: Service): Judgement => {
  const { desiredCount: desired = 0, runningCount: running = 0 } = service
  const counts = `${running} of ${desired} tasks run`
  const why = complaintOf(service)
  const reason = why ? `${counts}: ${why}` : counts
  return running === 0 ? judgement('down', reason) : judgement('degraded', reason)
}

/** `failedTasks` is 0 again once one task ran, so a crash loop shows in the stopped tasks only. */
const restlessness = (failures: TaskFailure[]): Judgement | undefined => {
  const count = failures.filter(({ stopped_at: at }) => at && new Date(at).getTime() > Date.now() - recentMs)
    .reduce((sum, failure) => sum + failure.count, 0)
  return count < restless ? undefined : judgement('degraded', `Tasks keep stopping: ${failures[0]?.reason}`)
}

/** What the health checks of the running tasks say; a task without one says nothing. */
const sickness = (tasks: readonly Task[]): Judgement | undefined => {
  const running = tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING')
  const unhealthy = running.filter(({ healthStatus }) => healthStatus === 'UNHEALTHY').length
  if (unhealthy === 0) return undefined
  const reason = `${unhealthy} of ${running.length} tasks are unhealthy by their health check`
  return judgement(unhealthy === running.length ? 'down' : 'degraded', reason)
}

/** Judges the service by its counts, its rollout, its events, its stopped tasks and the health checks of its tasks. */
export const judgeHealth = (service: Service, failures: TaskFailure[] = [], tasks: readonly Task[] = []): Judgement => {
  const { desiredCount: desired = 0, runningCount: running = 0, status, deployments = [] } = service
  if (status === 'INACTIVE') return judgement('stopped', 'The service was deleted')
  if (status === 'DRAINING') return judgement('stopped', 'The service is being deleted')
  if (status !== 'ACTIVE') return judgement('unknown', 'AWS does not say how the service is')
  if (desired === 0 && running === 0 && service.schedulingStrategy !== 'DAEMON') {
    return judgement('stopped', 'The service is scaled to 0')
  }
  const primary = deployments.find((deployment) => deployment.status === 'PRIMARY')
  const failing = primary?.rolloutState === 'FAILED' || (primary?.failedTasks ?? 0) > 0
  if (primary?.rolloutState === 'FAILED' && running >= desired) {
    return judgement('degraded', primary.rolloutStateReason, 'The last deployment failed')
  }
  const rolling = primary?.rolloutState === 'IN_PROGRESS' || deployments.length > 1
  const sick = sickness(tasks)
  if (sick?.health === 'down') return sick
  if (rolling && !failing) return judgement('deploying', primary?.rolloutStateReason, 'A deployment is in progress')
  if (running < desired) return withFailure(shortfall(service), failures)
  if (rolling) return judgement('degraded', 'Tasks of the newest deployment fail', failures[0]?.reason)
  return sick ?? restlessness(failures) ?? judgement('healthy')
}

const withFailure = (found: Judgement, [newest]: TaskFailure[]): Judgement =>
  newest ? { ...found, health_reason: `${found.health_reason?.replace(/\.$/, '')}. Last stop: ${newest.reason}` } : found
