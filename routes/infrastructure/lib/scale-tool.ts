import { defineWriteTool } from '../../../lib/tools/options.js'
import { ScaleService, ServiceParams, type Autoscaling } from '../../../schemas/infrastructure/services.js'
import { planScaling, type ScalingAction } from './scale-service.js'
import { describeService, readService, serviceTarget } from './tool-targets.js'

const describe = ({ min, max }: Autoscaling) => `${min} to ${max}`

const withoutBounds: readonly ScalingAction[] = ['suspended', 'bounds_changed', 'ignored']

export const scaleTool = defineWriteTool({
  input: { params: ServiceParams, body: ScaleService },
  basis: 'The desired count, the status and the autoscaling bounds say what a new count means; tasks come and go',
  async plan (input, read) {
    const service = await readService(input.service, read)
    const { id, desired_count: before, status, scheduling, autoscaling } = service
    const { desired_count: after } = input
    const action = planScaling(autoscaling, { ...input, autoscaling: input.autoscaling ?? 'refuse' })
    const bounds = autoscaling && action !== 'none'
      ? [{ label: 'Autoscaling', field: 'autoscaling', before: describe(autoscaling), after: action.replace('_', ' ') }]
      : []
    return {
      target: serviceTarget(service),
      summary: `Scale ${describeService(service)} from ${before} to ${after}`,
      changes: [
        { label: 'Desired count', field: 'desired_count', before: String(before), after: String(after) }, ...bounds
      ],
      args: { ...input, service: id },
      facts: { desired_count: before, status, scheduling, autoscaling },
      risk: after === 0 || withoutBounds.includes(action) ? 'high' : 'medium'
    }
  },
  /** The count that was asked for stands, or it cannot be known. */
  async reconcile ({ service, desired_count: count }, read) {
    return (await readService(service, read)).desired_count === count ? 'done' : 'unclear'
  }
})
