import type { Static, TSchema } from '@sinclair/typebox'
import type { Principal } from '../../../../lib/security/principal.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { ServiceDetail } from '../../../../schemas/infrastructure/service-detail.js'
import { bodyOf } from '../../../../lib/http/call-route.js'
import { callArea, type Deps } from '../call-route.js'
import { ContainerUnknown, TargetNotFound, TargetUnsupported } from '../errors.js'

export interface ResolvedTarget {
  target: AppTarget
  cloud_account_id: string
  /** Of that account, as it is now. */
  environment: string | null
}

export const serviceUrl = (serviceId: string) => `/infrastructure/containers/services/${encodeURIComponent(serviceId)}`
export const functionUrl = (functionId: string) =>
  `/infrastructure/serverless/functions/${encodeURIComponent(functionId)}`

const read = async <T extends TSchema>(deps: Deps, principal: Principal, url: string, pointer: string,
  schema: T): Promise<Static<T>> => {
  const answer = await callArea(deps, principal, { url })
  if (answer.status !== 404 && answer.status !== 400) return bodyOf(answer, schema)
  const message = String(answer.body.detail)
  throw TargetNotFound(message, { errors: [{ pointer, code: 'target_not_found', message }] })
}

const requireContainer = ({ images }: ServiceDetail, container: string) => {
  const names = images?.map((image) => image.container)
  if (!names || names.includes(container)) return
  const message = `There is no container ${container}; the task has ${names.join(', ')}`
  throw ContainerUnknown(message,
    { containers: names, errors: [{ pointer: '/target/container', code: 'container_unknown', message }] })
}

const requireImagePackage = (type: string) => {
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
    const { id, package_type: type, environment } =
      await read(deps, principal, functionUrl(target.function_id), '/target/function_id', ServerlessFunction)
    requireImagePackage(type)
    return { target: { ...target, function_id: id }, cloud_account_id: accountOf(id), environment }
  }
  const service =
    await read(deps, principal, serviceUrl(target.service_id), '/target/service_id', ServiceDetail)
  requireContainer(service, target.container)
  const { environment } = service
  return { target: { ...target, service_id: service.id }, cloud_account_id: accountOf(service.id), environment }
}
