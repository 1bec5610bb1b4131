import type { FastifyInstance } from 'fastify'
import { callRoute, errorOf, type RouteAnswer, type RouteCall } from '../../../lib/http/call-route.js'
import type { Principal } from '../../../lib/security/principal.js'
import { defineError, DatabaseUnavailable } from '../../../schemas/errors.js'

export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'inject' | 'tickets' | 'hasRoute' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' |
  'policies' | 'tools' | 'requireAllowed' | 'aws' | 'outbound' | 'codehost' | 'codehostGrants'>

const unavailable = DatabaseUnavailable.code

/**
 * Calls a route of another area as a person would, with that person's rights; the person's quota is not touched.
 * @throws database_unavailable, which is no answer of the route
 */
export const callArea = async (deps: Deps, principal: Principal, call: RouteCall): Promise<RouteAnswer> => {
  const answer = await callRoute(deps, { ...principal, background: true }, call)
  if (answer.body.code === unavailable) throw errorOf(answer)
  return answer
}

export {
  AccountReadOnly, awsErrors, CloudAccountNotFound as AccountNotFound, ImageNotFound
} from '../../../schemas/cloud/errors.js'

export const AppNameTaken = defineError('app_name_taken', 'Another app has this name', 409)
export const AppBusy = defineError('app_busy', 'A build of the app is queued or runs', 409)
export const BuildFinished = defineError('build_finished', 'The build has ended', 409)
export const BuildNotDeployable = defineError('build_not_deployable',
  'Only a build that succeeded can be deployed again', 409)
export const QueueFull = defineError('build_queue_full', 'Too many builds of the app wait', 409)
export const AmbiguousIdentifier = defineError('ambiguous_identifier', 'More than one resource has this name', 409)
export const AliasDivided = defineError('alias_divided', 'The alias divides its calls between versions', 409)
export const TargetNotFound = defineError('target_not_found', 'There is no such service or function', 422)
export const TargetUnsupported = defineError('target_unsupported', 'Builds cannot be deployed to this target', 422)
export const ContainerUnknown = defineError('container_unknown', 'It is not clear which container is meant', 422)
export const RegistryDenied = defineError('registry_denied', 'The registry does not show this image to Steward', 422)
export const BuilderUnsupported = defineError('builder_unsupported', 'The builder cannot build this app', 422)
export const ImageMissing = defineError('image_missing', 'Neither the app nor the request names an image', 422)
