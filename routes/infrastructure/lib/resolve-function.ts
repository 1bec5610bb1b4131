import type { FunctionConfiguration } from '@aws-sdk/client-lambda'
import { ApiError } from '../../../schemas/errors.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import { FunctionNotFound, QualifierInName } from './errors.js'
import { makeId, parseReference } from './identity.js'
import { describeFunction, readFunctions } from './read-functions.js'
import { admit, exactlyOne, noSources, sourceOfId, sourcesOfArn } from './resolve.js'
import { gather, listSources, type Deps, type Source } from './sources.js'

export interface FunctionRef extends Source { name: string }

export const idOfFunction = ({ account, region, name }: FunctionRef): string => makeId(account.id, region, name)

const plain = (name: string, qualifier: string | undefined): string => {
  if (qualifier === undefined && !name.includes(':')) return name
  throw QualifierInName('Give the name without the version or alias, and that as `qualifier`', {
    errors: [{ pointer: '/qualifier', code: 'qualifier_in_name', message: 'takes the version or the alias' }]
  })
}

/** @returns where the function is; for an id or an ARN its existence is not proved */
export const resolveFunction = async (deps: Deps, principal: Principal, text: string): Promise<FunctionRef> => {
  const named = parseReference(text)
  if (named.kind === 'id') {
    const [name = '', ...more] = named.path
    if (more.length > 0) throw FunctionNotFound()
    return { ...await sourceOfId(deps, principal, named, FunctionNotFound), name: plain(name, undefined) }
  }
  if (named.kind === 'arn') {
    const [kind, arnName = '', qualifier] = named.resource.split(':')
    const name = plain(arnName, qualifier)
    const isFunction = kind === 'function' && name !== ''
    const { sources, unanswered } = isFunction ? await sourcesOfArn(deps, principal, named) : noSources
    const ref = exactlyOne(sources.map((source) => ({ ...source, name })), idOfFunction, FunctionNotFound, unanswered)
    return admit(principal, ref, FunctionNotFound)
  }
  const name = plain(named.name, undefined)
  const { found, errors } = await gather(deps, await listSources(deps, principal, {}), async (source) =>
    (await readFunctions(deps, source)).map((one): FunctionRef => ({ ...source, name: one.name })))
  const matching = found.filter((ref) => ref.name === name)
  return admit(principal, exactlyOne(matching, idOfFunction, FunctionNotFound, errors), FunctionNotFound)
}

/** AWS says "not found" for a function, a version and an alias alike. */
export const asMissing = (error: unknown): never => {
  if (error instanceof ApiError && error.code === 'aws_resource_not_found') throw FunctionNotFound(error.message)
  throw error
}

/** @throws function_not_found, and what AWS answers */
export const loadFunction = async ({ aws }: Deps, ref: FunctionRef, qualifier?: string):
Promise<FunctionConfiguration> => {
  const lambda = await aws.client('lambda', ref.account, ref.region)
  return lambda.getFunctionConfiguration({ FunctionName: ref.name, Qualifier: qualifier }).catch(asMissing)
}

/** Reads the image where the account permits it: that needs a permission of its own. */
const loadImage = async ({ aws }: Deps, ref: FunctionRef, qualifier?: string) => {
  const lambda = await aws.client('lambda', ref.account, ref.region)
  const { Code } = await lambda.getFunction({ FunctionName: ref.name, Qualifier: qualifier })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'aws_permission_denied') return { Code: undefined }
      return asMissing(error)
    })
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(Code?.ResolvedImageUri ?? '')?.[1]
  return { image: Code?.ImageUri ?? null, image_digest: digest ?? null }
}

/** Reads one function as it is now, with its state and image. */
export const readFunction = async (deps: Deps, ref: FunctionRef, qualifier?: string):
Promise<ServerlessFunction> => {
  const found = describeFunction(ref, await loadFunction(deps, ref, qualifier))
  return found.package_type === 'Image' ? { ...found, ...await loadImage(deps, ref, qualifier) } : found
}
