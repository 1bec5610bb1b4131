import type {
  AliasConfiguration, FunctionConfiguration, GetFunctionCommandOutput, Lambda
} from '@aws-sdk/client-lambda'
import { collectPages } from '../../../../lib/aws/pages.js'
import { allow, functionArn, type Statement } from '../../../../lib/aws/sessions.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FunctionAlias, ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import {
  FunctionNotFound, QualifierInName, gather, listSources, type Deps, type Source, type SourceRead
} from '../errors.js'
import { makeId, parseReference } from '../identity.js'
import { describeFunction } from './read-functions.js'
import { admit, exactlyOne, noSources, sourceOfId, sourcesOfArn } from '../services/resolve.js'

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
  if (!/^[\w-]{1,140}$/.test(name)) throw FunctionNotFound()
  const { found, errors } = await gather(deps, await listSources(deps, principal, {}), functionNamed(deps, name))
  return admit(principal, exactlyOne(found, idOfFunction, FunctionNotFound, errors), FunctionNotFound)
}

/** Asked for by itself: nothing is listed, however many functions there are. */
const functionNamed = ({ aws }: Deps, name: string): SourceRead<FunctionRef> => ({
  name: `function ${name}`,
  ttlMs: 10_000,
  read: async (source) => {
    const lambda = await aws.client('lambda', source.account, source.region)
    return lambda.getFunctionConfiguration({ FunctionName: name }).then(() => [{ ...source, name }],
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'aws_resource_not_found') return []
        throw error
      })
  }
})

/** AWS says "not found" for a function, a version and an alias alike. */
export const asMissing = (error: unknown): never => {
  if (error instanceof ApiError && error.code === 'aws_resource_not_found') throw FunctionNotFound(error.message)
  throw error
}

/** What a reader of functions may be refused, and goes without. */
const orNull = (error: unknown): null => {
  if (error instanceof ApiError && (error.code === 'aws_permission_denied' || error.code === 'unsupported')) return null
  return asMissing(error)
}

const describeImage = ({ Code }: GetFunctionCommandOutput) => ({
  image: Code?.ImageUri ?? null,
  image_digest: /@(sha256:[0-9a-f]{64})$/.exec(Code?.ResolvedImageUri ?? '')?.[1] ?? null
})

/** @returns the share of each version: the alias's own has what the others leave */
export const describeAlias = ({ Name = '', FunctionVersion = '', RevisionId, RoutingConfig }: AliasConfiguration):
FunctionAlias => {
  const others = Object.entries(RoutingConfig?.AdditionalVersionWeights ?? {})
  const rest = 1 - others.reduce((sum, [, weight]) => sum + weight, 0)
  // Weights are decimals, which do not add up to 1 in binary.
  const share = (weight: number) => Math.round(weight * 1_000_000) / 1_000_000
  return {
    name: Name,
    revision_id: RevisionId ?? null,
    versions: [
      { version: FunctionVersion, share: share(rest) },
      ...others.map(([version, weight]) => ({ version, share: share(weight) }))
    ]
  }
}

/** More than a page of the API shows. */
const maxAliasPages = 20

/** @throws function_not_found, and what AWS answers */
export const listAliasesNow = (lambda: Lambda, FunctionName: string): Promise<FunctionAlias[]> =>
  collectPages({ what: 'ListAliases', maxPages: maxAliasPages }, async (Marker) => {
    const { Aliases = [], NextMarker } = await lambda.listAliases({ FunctionName, Marker, MaxItems: 50 })
    return { items: Aliases.map(describeAlias), next: NextMarker }
  }).catch(asMissing)

/** @returns null where they may not be read */
const readAliases = (lambda: Lambda, FunctionName: string): Promise<FunctionAlias[] | null> =>
  listAliasesNow(lambda, FunctionName).catch(orNull)

/** @throws function_not_found, and what AWS answers */
export const readConfiguration = (lambda: Lambda, { name: FunctionName }: FunctionRef, Qualifier: string | undefined) =>
  lambda.getFunctionConfiguration({ FunctionName, Qualifier }).catch(asMissing)

/** Reads one function as it is now, with its state, image and aliases. @throws function_not_found, what AWS answers */
export const describeFunctionNow = async (lambda: Lambda, ref: FunctionRef, qualifier?: string):
Promise<ServerlessFunction> => {
  const [configuration, aliases] = await Promise.all([
    readConfiguration(lambda, ref, qualifier), readAliases(lambda, ref.name)
  ])
  const found = { ...describeFunction(ref, configuration), aliases }
  if (found.package_type !== 'Image') return found
  // The image needs a permission of its own.
  const whole = await lambda.getFunction({ FunctionName: ref.name, Qualifier: qualifier }).catch(orNull)
  return whole ? { ...found, ...describeImage(whole) } : found
}

/** The same of an image, with all of it in one answer where that is permitted: what is compared is of one moment. */
export const describeImageNow = async (lambda: Lambda, ref: FunctionRef): Promise<ServerlessFunction> => {
  const [whole, aliases] = await Promise.all([
    lambda.getFunction({ FunctionName: ref.name }).catch(orNull), readAliases(lambda, ref.name)
  ])
  if (!whole?.Configuration) {
    return { ...describeFunction(ref, await readConfiguration(lambda, ref, undefined)), aliases }
  }
  return { ...describeFunction(ref, whole.Configuration), aliases, ...describeImage(whole) }
}

/** @throws function_not_found, and what AWS answers */
export const loadFunction = async ({ aws }: Deps, ref: FunctionRef, qualifier?: string):
Promise<FunctionConfiguration> =>
  readConfiguration(await aws.client('lambda', ref.account, ref.region), ref, qualifier)

/** Reads one function as it is now. */
export const readFunction = async ({ aws }: Deps, ref: FunctionRef, qualifier?: string):
Promise<ServerlessFunction> =>
  describeFunctionNow(await aws.client('lambda', ref.account, ref.region), ref, qualifier)

/** @returns how Lambda divides the calls of an alias; null for a version, and where the aliases are not known */
export const routingOf = ({ aliases }: Pick<ServerlessFunction, 'aliases'>, qualifier: string | undefined) =>
  aliases?.find(({ name }) => name === qualifier)?.versions ?? null

/** What a session reads of the function before it does something with it. */
export const functionReads = (ref: FunctionRef, qualifier?: string): Statement[] => [
  allow(['lambda:GetFunction', 'lambda:GetFunctionConfiguration', 'lambda:ListAliases'],
    functionArn(ref, ref.name), ...(qualifier === undefined ? [] : [functionArn(ref, ref.name, qualifier)]))
]
