import type { ServiceDeployment } from '../../../schemas/infrastructure/service-deployments.js'
import { Cancelled, StepFailed, TimedOut, pause, type StepContext } from './build-state.js'
import { callRoute, errorOf, principalOf } from './call-route.js'
import type { EcsTarget } from './deploy-image.js'
import { serviceUrl } from './resolve-target.js'

const firstMs = 250
const maxMs = 2_000

const read = async ({ deps, state: { row } }: StepContext, target: EcsTarget, id: string) => {
  const principal = await principalOf(deps, row.workspace_id, row.principal)
  const answer = await callRoute(deps, principal, { url: `${serviceUrl(target.service_id)}/deployments/${id}` })
  // The route's response schema is ServiceDeployment.
  if (answer.status < 300) return answer.body as unknown as ServiceDeployment
  if (answer.status === 429 || answer.status >= 500) return undefined
  throw errorOf(answer)
}

const lineOf = ({ status, status_reason: reason, progress }: ServiceDeployment): string => {
  const counts = progress ? `: ${progress.running} of ${progress.desired} tasks run` : ''
  return `Deployment ${status}${counts}${reason ? ` (${reason})` : ''}`
}

/** @returns the deployment once it has ended; `look` is called each time it is read */
const watch = async (context: StepContext, target: EcsTarget, id: string,
  look: (now: ServiceDeployment) => Promise<void>): Promise<ServiceDeployment> => {
  let said = ''
  for (let ms = firstMs; ; ms = Math.min(ms * 1.5, maxMs)) {
    const now = await read(context, target, id)
    if (now) {
      const line = lineOf(now)
      if (line !== said) await context.log(line)
      said = line
      if (now.finished_at !== null) return now
      await look(now)
    }
    await pause(ms, context.signal)
  }
}

/** Goes back to what ran before, as the one who cancelled. @returns the id of the deployment that does it */
const askBack = async (context: StepContext, target: EcsTarget, now: ServiceDeployment):
Promise<string | undefined> => {
  const { deps, state: { row }, log } = context
  const principal = await principalOf(deps, row.workspace_id, row.cancel_principal ?? row.principal)
  const answer = await callRoute(deps, principal, {
    method: 'POST',
    url: `${serviceUrl(target.service_id)}/deploy`,
    payload: {
      task_definition: now.previous_task_definition, force: true, comment: `Build ${row.number} cancelled (${row.id})`
    },
    key: `${row.id}.cancel`
  })
  const { status, body } = answer
  if (status === 202) return String(body.id)
  await log(`The rollback was refused, so the deployment goes on: ${String(body.code)}: ${String(body.detail)}`)
  return undefined
}

const endBack = async (context: StepContext, target: EcsTarget, id: string, to: string): Promise<never> => {
  await context.log(`Cancelled: deployment ${id} goes back to ${to}`)
  const ended = await watch(context, target, id, async () => {})
  if (ended.status === 'succeeded') throw new Cancelled(`The service is back at ${to}`)
  throw new StepFailed(`Cancelled, but going back to ${to} ended as ${ended.status}: ${ended.status_reason ?? ''}`)
}

const judgeEnd = (ended: ServiceDeployment): void => {
  const reasons = ended.failures.slice(0, 3).map(({ reason }) => reason)
  const why = [ended.status_reason, ...reasons].filter(Boolean).join('; ')
  const text = `The deployment ended as ${ended.status}${why ? `: ${why}` : ''}`
  if (ended.status === 'succeeded') return
  if (ended.status === 'timed_out') throw new TimedOut(text)
  const back = ended.status === 'rolled_back' || ended.status === 'rollback_failed'
  throw new StepFailed(text, back ? 'deploy_rolled_back' : 'step_failed')
}

/**
 * Follows a deployment to its end; rolled back is not success. When the build is cancelled meanwhile, the service is
 * brought back to what it ran.
 * @throws StepFailed, TimedOut, Cancelled
 */
export const followDeployment = async (context: StepContext, target: EcsTarget, id: string): Promise<void> => {
  let refused = false
  const ended = await watch(context, target, id, async (now) => {
    if (!context.state.cancelling || refused) return
    const back = await askBack(context, target, now)
    if (back !== undefined) await endBack(context, target, back, now.previous_task_definition)
    refused = true
  })
  judgeEnd(ended)
}
