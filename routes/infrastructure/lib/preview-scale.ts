import type { Arguments, PreviewRow, Read } from '../../../plugins/tool-options.js'
import type { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'
import type { Autoscaling, ScaleService } from '../../../schemas/infrastructure/services.js'
import { planScaling } from './scale-service.js'

/** The route has checked the arguments against its schemas before these run. */
const wishOf = (args: Arguments) => args as unknown as ScaleService & { service: string }

const readTarget = async (args: Arguments, read: Read) => {
  const answer = await read(`/infrastructure/containers/services/${encodeURIComponent(wishOf(args).service)}`)
  // The route's response schema is ServiceDetail.
  return answer as unknown as ServiceDetail
}

/** @returns such as "Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4" */
export const summarizeScale = async (args: Arguments, read: Read): Promise<string> => {
  const { name, cluster, region, account_name: account, desired_count: before } = await readTarget(args, read)
  return `Scale service ${name} in cluster ${cluster} (${region}, account ${account}) ` +
    `from ${before} to ${wishOf(args).desired_count}`
}

/** After a crash in mid-call: the count that was wanted stands, or nobody can tell. */
export const reconcileScale = async (args: Arguments, read: Read): Promise<'done' | 'unclear'> => {
  const { desired_count: now } = await readTarget(args, read)
  return now === wishOf(args).desired_count ? 'done' : 'unclear'
}

const describe = ({ min, max }: Autoscaling) => `${min} to ${max}`

/** @throws the operation's own error when the target does not exist or autoscaling would conflict */
export const previewScale = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const wish = wishOf(args)
  const service = await readTarget(args, read)
  const action = planScaling(service.autoscaling, { ...wish, autoscaling: wish.autoscaling ?? 'refuse' })
  return [
    { label: 'Desired count', before: String(service.desired_count), after: String(wish.desired_count) },
    ...(service.autoscaling && action !== 'none'
      ? [{ label: 'Autoscaling', before: describe(service.autoscaling), after: action.replace('_', ' ') }]
      : [])
  ]
}
