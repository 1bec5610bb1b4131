import type { Principal } from '../../../plugins/principal.js'
import { InvalidRequest } from '../../../schemas/errors.js'
import type { AppTarget } from '../../../schemas/deployments/apps.js'
import type { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'
import { callRoute, errorOf, type Deps } from './call-route.js'
import { ContainerUnknown, TargetNotFound, TargetUnsupported } from './errors.js'

export interface ResolvedTarget { target: AppTarget, cloud_account_id: string }

export const serviceUrl = (serviceId: string) => `/infrastructure/containers/services/${encodeURIComponent(serviceId)}`
export const functionUrl = (functionId: string) =>
  `/infrastructure/serverless/functions/${encodeURIComponent(functionId)}`

const read = async (deps: Deps, principal: Principal, url: string, pointer: string) => {
  const answer = await callRoute(deps, principal, { url })
  if (answer.status < 300) return answer.body
  if (answer.status !== 404 && answer.status !== 400) throw errorOf(answer)
  const message = String(answer.body.detail)
  throw TargetNotFound(message, { errors: [{ pointer, code: 'target_not_found', message }] })
}

const checkContainer = ({ images }: ServiceDetail, container: string) => {
  const names = images?.map((image) => image.container)
  if (!names || names.includes(container)) return
  const message = `There is no container ${container}; the task has ${names.join(', ')}`
  throw ContainerUnknown(message,
    { containers: names, errors: [{ pointer: '/target/container', code: 'container_unknown', message }] })
}

const checkPackage = (type: string) => {
  if (type === 'Image') return
  const message = 'is made of an archive; only functions made of container images can be deployed to'
  throw TargetUnsupported(`The function ${message}`,
    { errors: [{ pointer: '/target/function_id', code: 'target_unsupported', message }] })
}

const accountOf = (id: string): string => {
  const [account = '', region, ...path] = id.split('~')
  if (region && path.length > 0) return account
  throw InvalidRequest(`${id} is no id of a service or function`)
}

/**
 * Reads the target as the person who names it: what they may not see, they cannot deploy to.
 * @returns the target with its id, whatever it was called by
 * @throws target_not_found, target_unsupported, container_unknown, ambiguous_identifier, and what the route answers
 */
export const resolveTarget = async (deps: Deps, principal: Principal, target: AppTarget): Promise<ResolvedTarget> => {
  if (target.kind === 'lambda') {
    const found = await read(deps, principal, functionUrl(target.function_id), '/target/function_id')
    const id = String(found.id)
    checkPackage(String(found.package_type))
    return { target: { ...target, function_id: id }, cloud_account_id: accountOf(id) }
  }
  // The route's response schema is ServiceDetail.
  const service = await read(deps, principal, serviceUrl(target.service_id), '/target/service_id') as
    unknown as ServiceDetail
  checkContainer(service, target.container)
  return { target: { ...target, service_id: service.id }, cloud_account_id: accountOf(service.id) }
}
