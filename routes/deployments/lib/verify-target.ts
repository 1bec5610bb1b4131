import { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'
import { StepFailed, pause, type StepContext } from './build-state.js'
import { bodyOf } from '../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../lib/security/actor.js'
import { callArea } from './call-route.js'
import { readTarget, type LambdaTarget } from './deploy-function.js'
import type { EcsTarget } from './deploy-image.js'
import { serviceUrl } from './resolve-target.js'

const againMs = 2_000
/** AWS's reads may be older than its writes: one that contradicts is repeated. */
const maxContradictions = 3

const readService = async ({ deps, state: { row } }: StepContext, target: EcsTarget) => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const answer = await callArea(deps, principal, { url: serviceUrl(target.service_id) })
  return answer.status === 429 || answer.status >= 500 ? undefined : bodyOf(answer, ServiceDetail)
}

/** Reads the service again: it runs as many tasks as it should, of the image that was deployed. */
const verifyService = async (context: StepContext, target: EcsTarget): Promise<'succeeded'> => {
  const { state, signal, log } = context
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const service = await readService(context, target)
    if (!service) continue
    const held = service.images?.find(({ container }) => container === target.container)
    if (held && held.image !== state.row.image) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(`${target.container} runs ${held.image}, not ${state.row.image}`)
    }
    if (service.running_count !== service.desired_count) continue
    if (held?.digest) await state.write({ image_digest: held.digest })
    await log(`${service.running_count} of ${service.desired_count} tasks run ${state.row.image}`)
    return 'succeeded'
  }
}

/** Reads the function again: it can be invoked, and is made of the image that was deployed. */
const verifyFunction = async (context: StepContext, target: LambdaTarget): Promise<'succeeded'> => {
  const { state, signal, log } = context
  const { image } = state.row
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const found = await readTarget(context, target)
    if (!found || found.state === 'Pending') continue
    if (found.image !== null && found.image !== image) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(`The function is made of ${found.image}, not of ${image}`)
    }
    if (found.state === 'Failed') throw new StepFailed('The function cannot be invoked: its state is Failed')
    if (found.image_digest !== null) await state.write({ image_digest: found.image_digest })
    await log(found.image === null
      ? 'The function took the change over; its image may not be read here (lambda:GetFunction)'
      : `The function is ${found.state ?? 'there'} and made of ${image}`)
    return 'succeeded'
  }
}

/** Checks that the deployed image is the one that runs. @throws StepFailed when it is not */
export const verify = async (context: StepContext): Promise<'succeeded'> => {
  const { target } = context.state.row
  return target.kind === 'lambda' ? verifyFunction(context, target) : verifyService(context, target)
}
