import { ServiceDeployment } from '../../../../schemas/infrastructure/service-deployments.js'
import { Cancelled, StepFailed, Superseded, TimedOut, pause, type StepContext } from './build-state.js'
import { bodyOf } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import { callArea } from '../call-route.js'
import type { EcsTarget } from './deploy-image.js'
import { serviceUrl } from '../apps/resolve-target.js'

const firstMs = 250
const maxMs = 2_000

const read = async ({ deps, state: { row } }: StepContext, target: EcsTarget, id: string) => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const answer = await callArea(deps, principal, { url: `${serviceUrl(target.service_id)}/deployments/${id}` })
  return answer.status === 429 || answer.status >= 500 ? undefined : bodyOf(answer, ServiceDeployment)
}

const lineOf = ({ status, status_reason: reason, progress }: ServiceDeployment): string => {
  const counts = progress ? `: ${progress.running} of ${progress.desired} tasks run` : ''
  return `Deployment ${status}${counts}${reason ? ` (${reason})` : ''}`
}

/** @returns the deployment once it has ended; `onRead` is called each time it is read */
const watch = async (context: StepContext, target: EcsTarget, id: string,
  onRead: (now: ServiceDeployment) => Promise<void>): Promise<ServiceDeployment> => {
  let lastLine = ''
  for (let ms = firstMs; ; ms = Math.min(ms * 1.5, maxMs)) {
    const now = await read(context, target, id)
    if (now) {
      const line = lineOf(now)
      if (line !== lastLine) await context.log(line)
      lastLine = line
      if (now.finished_at !== null) return now
      await onRead(now)
    }
    await pause(ms, context.signal)
  }
}

/** Cancels the deployment as the actor who cancelled the build. @returns whether the route took or refused it */
const cancelDeployment = async (context: StepContext, target: EcsTarget, id: string): Promise<boolean> => {
  const { deps, state: { row }, log } = context
  const principal = await currentPrincipal(deps, row.workspace_id, row.cancel_principal ?? row.principal)
  const url = `${serviceUrl(target.service_id)}/deployments/${id}/cancel`
  const { status, body } = await callArea(deps, principal, { method: 'POST', url })
  if (status === 429 || status >= 500) return false
  if (status >= 300) {
    await log(`The cancel was refused, so the deployment goes on: ${String(body.code)}: ${String(body.detail)}`)
  } else if (status === 202) {
    await log(`Cancelled: ECS stops deployment ${id} and goes back to ${String(body.previous_task_definition)}`)
  }
  return true
}

/** The end of a deployment that was cancelled; one that won all the same is judged as any other. */
const judgeCancelled = ({ status, status_reason: reason, ...ended }: ServiceDeployment): void => {
  if (status === 'succeeded') return
  if (status === 'stopped') throw new Cancelled(reason ?? 'The deployment was stopped')
  if (status === 'rolled_back') throw new Cancelled(`The service is back at ${ended.previous_task_definition}`)
  throw new StepFailed(`Cancelled, but the deployment ended as ${status}: ${reason ?? 'no reason given'}`)
}

const judgeEnd = (ended: ServiceDeployment): void => {
  const reasons = ended.failures.slice(0, 3).map(({ reason }) => reason)
  const why = [ended.status_reason, ...reasons].filter(Boolean).join('; ')
  const text = `The deployment ended as ${ended.status}${why ? `: ${why}` : ''}`
  if (ended.status === 'succeeded') return
  if (ended.status === 'superseded' && ended.aws_deployment_id === null) throw new Superseded(text)
  if (ended.status === 'timed_out') throw new TimedOut(text)
  const back = ended.status === 'rolled_back' || ended.status === 'rollback_failed'
  throw new StepFailed(text, back ? 'deploy_rolled_back' : 'step_failed')
}

/**
 * Follows a deployment to its end; rolled back is not success. When the build is cancelled meanwhile, so is the
 * deployment: what was not sent to AWS undoes nothing, what was is stopped.
 * @throws StepFailed, TimedOut, Cancelled
 */
export const followDeployment = async (context: StepContext, target: EcsTarget, id: string): Promise<void> => {
  let answered = false
  const ended = await watch(context, target, id, async () => {
    if (context.state.cancelling && !answered) answered = await cancelDeployment(context, target, id)
  })
  if (context.state.cancelling && ended.cancelled_by !== null) judgeCancelled(ended)
  judgeEnd(ended)
}
