import type { Static, TSchema } from '@sinclair/typebox'
import { bodyOf } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { AppBuilder } from '../../../../schemas/deployments/builders.js'
import type { AppTarget } from '../../../../schemas/deployments/apps.js'
import { Image } from '../../../../schemas/deployments/builds.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { callArea, type Deps, ContainerUnknown, TargetNotFound, TargetUnsupported } from '../errors.js'

const form = new RegExp(Image.pattern ?? '')
const maxTag = 128

/** @returns whether the text is a reference that a registry could hold */
export const isImage = (text: string): boolean => {
  if (text.length > 600 || !form.test(text)) return false
  const tag = /:([^/:@]*)(@|$)/.exec(text)?.[1] ?? ''
  return tag.length <= maxTag
}

export interface ImageFacts { commit: string | null, ref: string, number: number }

const asTag = (text: string) => text.replace(/[^A-Za-z0-9_.-]/g, '-')

/** @returns the image that the template makes of a build; without a commit the ref stands for it */
export const fillTemplate = (template: string, { commit, ref, number }: ImageFacts): string => {
  const sha = commit ?? asTag(ref)
  const values: Record<string, string> =
    { sha, short_sha: commit?.slice(0, 7) ?? sha, ref: asTag(ref), number: String(number) }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** @returns whether what the template makes depends on the commit */
export const namesCommit = (template: string | null): boolean => /\{(short_)?sha\}/.test(template ?? '')

/**
 * What a builder makes is deployed by the name of the template, which must differ from commit to commit.
 * @throws invalid_request
 */
export const requireBuilderTemplate = (builder: AppBuilder | null, template: string | null): void => {
  if (builder === null || (namesCommit(template) && !template?.includes('@'))) return
  const message = 'must be a tag with {sha} or {short_sha} where the app has a builder, such as registry/app:{sha}'
  throw InvalidRequest(`/image ${message}`, { errors: [{ pointer: '/image', code: 'template', message }] })
}

/** @throws invalid_request when the template holds an unknown name, or what it makes is no image */
export const requireTemplate = (template: string | null | undefined): void => {
  if (template === null || template === undefined) return
  if (isImage(fillTemplate(template, { commit: 'a'.repeat(40), ref: 'main', number: 1 }))) return
  const message = 'must make an image such as registry/app:{sha}; it knows {sha}, {short_sha}, {ref} and {number}'
  throw InvalidRequest(`/image ${message}`, { errors: [{ pointer: '/image', code: 'template', message }] })
}

/** @returns the digest that the reference itself names */
export const digestOf = (image: string): string | null => /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1] ?? null

/** @returns the image by its digest, where one is known: a tag may have moved since */
export const pinned = (image: string, digest: string | null): string => {
  if (digest === null || image.includes('@')) return image
  return `${image.replace(/:[^/:]*$/, '')}@${digest}`
}

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

/** The alias is what the app's deployments move, so it has to be there. @throws target_not_found */
export const requireAlias = ({ aliases }: ServerlessFunction, alias: string | undefined) => {
  if (alias === undefined || aliases?.some(({ name }) => name === alias)) return
  const message = aliases === null
    ? 'could not be looked up: the aliases of the function may not be read (lambda:ListAliases)'
    : `is no alias of the function; it has ${aliases.map(({ name }) => name).join(', ') || 'none'}`
  throw TargetNotFound(`${alias} ${message}`,
    { errors: [{ pointer: '/target/alias', code: 'target_not_found', message }] })
}

/** @returns the account and the region in which a target is, of its id. */
export const placeOf = (target: AppTarget): { account: string, region: string } => {
  const id = target.kind === 'lambda' ? target.function_id : target.service_id
  const [account = '', region, ...path] = id.split('~')
  if (region && path.length > 0) return { account, region }
  throw InvalidRequest(`${id} is no id of a service or function`)
}

/**
 * Reads the target as the person who names it: what they may not see, they cannot deploy to.
 * @returns the target with its id, whatever it was called by
 * @throws target_not_found, target_unsupported, container_unknown, ambiguous_identifier, and what the route answers
 */
export const resolveTarget = async (deps: Deps, principal: Principal, target: AppTarget): Promise<ResolvedTarget> => {
  if (target.kind === 'lambda') {
    const found = await read(deps, principal, functionUrl(target.function_id), '/target/function_id', ServerlessFunction)
    const { id, package_type: type, environment } = found
    requireImagePackage(type)
    requireAlias(found, target.alias)
    const resolved = { ...target, function_id: id }
    return { target: resolved, cloud_account_id: placeOf(resolved).account, environment }
  }
  const service =
    await read(deps, principal, serviceUrl(target.service_id), '/target/service_id', ServiceDetail)
  requireContainer(service, target.container)
  const { environment } = service
  const resolved = { ...target, service_id: service.id }
  return { target: resolved, cloud_account_id: placeOf(resolved).account, environment }
}
