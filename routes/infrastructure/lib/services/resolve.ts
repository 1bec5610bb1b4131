import { requireAccess, resourceOfAccount, visibleAccounts } from '../../../../lib/access/require-access.js'
import { findAccount, listAccounts, readAccountNumber } from '../../../../lib/aws/accounts.js'
import type { ServiceKey } from '../../../../db/infrastructure/service-deployments.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { SourceError } from '../../../../schemas/common.js'
import { statusOf } from '../../../../schemas/cloud/accounts.js'
import { ApiError, type ErrorDefinition } from '../../../../schemas/errors.js'
import {
  AmbiguousIdentifier, ClusterNotFound, NameUnresolved, ServiceNotFound, gather, listSources, toSourceError,
  type Deps, type Filter, type Source, type SourceRead
} from '../errors.js'
import { isAccountId, makeId, nameOf, parseReference, type Named } from '../identity.js'
import { loadClusterArns } from './read-clusters.js'
import { listServiceNames } from './read-services.js'

export interface ClusterRef extends Source { cluster: string }
export interface ServiceRef extends ClusterRef { service: string }

/** @returns how rows name the service */
export const keyOf = ({ account, region, cluster, service }: ServiceRef): ServiceKey =>
  ({ workspace_id: account.workspace_id, account_id: account.id, region, cluster, service })

/** For so long a source that failed is not asked again. */
const retrySeconds = 5

const idOfRef = (ref: ClusterRef & { service?: string }) =>
  makeId(ref.account.id, ref.region, ref.cluster, ...(ref.service === undefined ? [] : [ref.service]))

const nameOfSource = ({ account_id: account, region, detail }: SourceError): string =>
  `${[region, 'of cloud account', account].filter((part) => part !== null).join(' ')} (${detail})`

/** One match is no proof while a source is silent: the silent one may hold another resource of the same name. */
const unresolved = (unanswered: SourceError[], candidates: string[]): ApiError => {
  const silent = unanswered.map(nameOfSource).join('; ')
  const message = `Not every source answered: ${silent}. Give the full id, as a list returns it, or ask again later`
  return NameUnresolved(message, { sources: unanswered, candidates, retry_after: retrySeconds })
    .withHeaders({ 'retry-after': String(retrySeconds) })
}

/**
 * @param unanswered the sources that could not say whether they have a match
 * @throws ambiguous_identifier with the candidates' ids; name_unresolved unless every source answered; `missing`
 */
export const exactlyOne = <T>(found: T[], idOf: (item: T) => string, missing: ErrorDefinition,
  unanswered: SourceError[]): T => {
  const candidates = found.map(idOf).sort()
  if (found.length > 1) {
    throw AmbiguousIdentifier(`${found.length} resources have this name; use the id of one`, { candidates })
  }
  if (unanswered.length > 0) throw unresolved(unanswered, candidates)
  const [match] = found
  if (!match) throw missing()
  return match
}

/** @returns the same, if the principal's role on its account does. @throws missing, insufficient_role */
export const admit = <S extends Source>(principal: Principal, source: S, missing: ErrorDefinition): S => {
  requireAccess(principal, resourceOfAccount(source.account), missing)
  return source
}

/** Finds the account of an id, whose parts come from outside; an unknown and a foreign one give the same error. */
export const sourceOfId = async ({ db }: Deps, principal: Principal, named: Extract<Named, { kind: 'id' }>,
  missing: ErrorDefinition): Promise<Source> => {
  const account = isAccountId(named.account_id)
    ? await findAccount(db, principal.workspace_id, named.account_id)
    : undefined
  if (!account || !account.regions.includes(named.region)) throw missing()
  return admit(principal, { account, region: named.region }, missing)
}

/** The registered accounts that an ARN fits, and those whose number is unknown since they do not answer. */
export interface ArnSources { sources: Source[], unanswered: SourceError[] }

/** An ARN of another kind of resource. */
export const noSources: ArnSources = { sources: [], unanswered: [] }

/** Asks each account for its number where that is unknown, unless the account waits for its role. */
export const sourcesOfArn = async (deps: Deps, principal: Principal, named: Extract<Named, { kind: 'arn' }>):
Promise<ArnSources> => {
  const candidates = visibleAccounts(principal, await listAccounts(deps.db, principal.workspace_id))
    .filter((account) => account.regions.includes(named.region) && statusOf(account) !== 'incomplete')
    .map((account): Source => ({ account, region: named.region }))
  const read = ({ account }: Source) => readAccountNumber(deps, account).catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
  const known = await Promise.all(candidates.map(async (source) => ({ source, number: await read(source) })))
  const sources = known.filter(({ number }) => number === named.aws_account_id).map(({ source }) => source)
  // The ARN names its AWS account, so a match is one whatever the silent accounts are.
  if (sources.length > 0) return { sources, unanswered: [] }
  const unanswered = known.flatMap(({ source, number }) =>
    number instanceof ApiError ? [toSourceError(source, number)] : [])
  return { sources, unanswered }
}

/** What is known of a name is at most 10 s old. */
const ttlMs = 10_000

const clusterRefsIn = (deps: Deps): SourceRead<ClusterRef> => ({
  name: 'cluster names',
  ttlMs,
  read: async (source) =>
    (await loadClusterArns(deps, source)).map((arn) => ({ ...source, cluster: nameOf(arn) }))
})

/** @returns where the cluster is; its existence is proved only where a name had to be looked up */
export const resolveCluster = async (deps: Deps, principal: Principal, text: string, filter: Filter = {}):
Promise<ClusterRef> => {
  const named = parseReference(text)
  if (named.kind === 'id') {
    const [cluster = '', ...more] = named.path
    if (more.length > 0) throw ClusterNotFound()
    return { ...await sourceOfId(deps, principal, named, ClusterNotFound), cluster }
  }
  if (named.kind === 'arn') {
    const cluster = /^cluster\/([^/]+)$/.exec(named.resource)?.[1] ?? ''
    const { sources, unanswered } = cluster ? await sourcesOfArn(deps, principal, named) : noSources
    return exactlyOne(sources.map((source) => ({ ...source, cluster })), idOfRef, ClusterNotFound, unanswered)
  }
  const { found, errors } = await gather(deps, await listSources(deps, principal, filter), clusterRefsIn(deps))
  const matching = found.filter(({ cluster }) => cluster === named.name)
  return exactlyOne(matching, idOfRef, ClusterNotFound, errors)
}

/** Names alone: no cluster and no service is described, so each cluster costs a call. */
const serviceRefsIn = (deps: Deps): SourceRead<ServiceRef> => ({
  name: 'service names',
  ttlMs,
  read: async (source) => {
    const ecs = await deps.aws.client('ecs', source.account, source.region)
    const lists = await Promise.all((await loadClusterArns(deps, source)).map(nameOf).map(async (cluster) =>
      (await listServiceNames(ecs, cluster)).map((service) => ({ ...source, cluster, service }))))
    return lists.flat()
  }
})

const findByName = async (deps: Deps, sources: Source[], name: string, unanswered: SourceError[] = []):
Promise<ServiceRef> => {
  const { found, errors } = await gather(deps, sources, serviceRefsIn(deps))
  const matching = found.filter(({ service }) => service === name)
  return exactlyOne(matching, idOfRef, ServiceNotFound, [...unanswered, ...errors])
}

/** @returns where the service is; for an id its existence is not proved */
export const resolveService = async (deps: Deps, principal: Principal, text: string): Promise<ServiceRef> => {
  const named = parseReference(text)
  if (named.kind === 'id') {
    const [cluster = '', service = '', ...more] = named.path
    if (!service || more.length > 0) throw ServiceNotFound()
    return { ...await sourceOfId(deps, principal, named, ServiceNotFound), cluster, service }
  }
  const found = named.kind === 'arn'
    ? await resolveArn(deps, principal, named)
    : await resolveName(deps, principal, named.name)
  return admit(principal, found, ServiceNotFound)
}

const resolveName = async (deps: Deps, principal: Principal, name: string): Promise<ServiceRef> => {
  const [first = '', second] = name.split('/')
  // AWS would refuse a text that can be no name.
  if (![first, second ?? first].every((part) => /^[\w-]{1,255}$/.test(part))) throw ServiceNotFound()
  const sources = await listSources(deps, principal, {})
  return second === undefined
    ? findByName(deps, sources, first)
    : describeByName(deps, sources, first, second)
}

/** With its cluster a service is asked for by itself: nothing is listed, however much there is. */
const describeByName = async (deps: Deps, sources: Source[], cluster: string, service: string): Promise<ServiceRef> => {
  const read = async (source: Source) => {
    const ecs = await deps.aws.client('ecs', source.account, source.region)
    const { services = [] } = await ecs.describeServices({ cluster, services: [service] }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'aws_resource_not_found') return { services: [] }
      throw error
    })
    return services.filter(({ status }) => status !== 'INACTIVE')
      .map((): ServiceRef => ({ ...source, cluster, service }))
  }
  const { found, errors } = await gather(deps, sources, { name: `service ${cluster}/${service}`, ttlMs, read })
  return exactlyOne(found, idOfRef, ServiceNotFound, errors)
}

const resolveArn = async (deps: Deps, principal: Principal, named: Extract<Named, { kind: 'arn' }>):
Promise<ServiceRef> => {
  const [kind, first = '', second] = named.resource.split('/')
  const { sources, unanswered } = kind === 'service' && first ? await sourcesOfArn(deps, principal, named) : noSources
  if (second !== undefined) {
    const found = sources.map((source) => ({ ...source, cluster: first, service: second }))
    return exactlyOne(found, idOfRef, ServiceNotFound, unanswered)
  }
  // The old form of the ARN does not name the cluster.
  return findByName(deps, sources, first, unanswered)
}
