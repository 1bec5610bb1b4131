import { findAccount, listAccounts, saveIdentity, type AccountRow } from '../../../db/cloud/accounts.js'
import type { ServiceKey } from '../../../db/cloud/service-deployments.js'
import type { ApiError, ErrorDefinition } from '../../../schemas/errors.js'
import type { Cluster } from '../../../schemas/infrastructure/clusters.js'
import { AmbiguousIdentifier, ClusterNotFound, ServiceNotFound } from './errors.js'
import { isAccountId, makeId, parseReference, type Named } from './identity.js'
import { readClusters } from './read-clusters.js'
import { loadServices } from './read-services.js'
import { gather, listSources, type Deps, type Filter, type Source } from './sources.js'

export interface ClusterPlace extends Source { cluster: string }
export interface ServicePlace extends ClusterPlace { service: string }

/** @returns how rows name the service */
export const keyOf = ({ account, region, cluster, service }: ServicePlace): ServiceKey =>
  ({ workspace_id: account.workspace_id, account_id: account.id, region, cluster, service })

const idOfPlace = (place: ClusterPlace & { service?: string }) =>
  makeId(place.account.id, place.region, place.cluster, ...(place.service === undefined ? [] : [place.service]))

/** @throws ambiguous_identifier with the candidates' ids; the missing error, or the first source's when some failed */
export const exactlyOne = <T>(found: T[], idOf: (place: T) => string, missing: ErrorDefinition,
  failed?: ApiError): T => {
  const [place, ...others] = found
  if (!place) throw failed ?? missing()
  if (others.length === 0) return place
  const candidates = found.map(idOf).sort()
  throw AmbiguousIdentifier(`${candidates.length} resources have this name; use the id of one`, { candidates })
}

/** The account of an id, whose parts come from outside; unknown and foreign look the same. */
export const placeOfId = async ({ db }: Deps, workspaceId: string, named: Extract<Named, { kind: 'id' }>,
  missing: ErrorDefinition): Promise<Source> => {
  const account = isAccountId(named.account_id) ? await findAccount(db, workspaceId, named.account_id) : undefined
  if (!account || !account.regions.includes(named.region)) throw missing()
  return { account, region: named.region }
}

const numberOf = async ({ db, aws }: Deps, account: AccountRow): Promise<string | null> => {
  if (account.aws_account_id !== null) return account.aws_account_id
  const sts = await aws.client('sts', account, account.default_region)
  const { Account: number = null } = await sts.getCallerIdentity({})
  if (number !== null) await saveIdentity(db, account.workspace_id, account.id, number)
  return number
}

/** @returns the registered accounts that an ARN fits; one whose number is not known yet is asked for it */
export const placesOfArn = async (deps: Deps, workspaceId: string, named: Extract<Named, { kind: 'arn' }>):
Promise<Source[]> => {
  const accounts = (await listAccounts(deps.db, workspaceId)).filter(({ regions }) => regions.includes(named.region))
  const numbers = await Promise.all(accounts.map((account) => numberOf(deps, account).catch(() => null)))
  return accounts.filter((_, index) => numbers[index] === named.aws_account_id)
    .map((account): Source => ({ account, region: named.region }))
}

/** @returns an error to throw in place of "not found" when not every source was heard */
export const firstError = (errors: { detail: string }[], missing: ErrorDefinition): ApiError | undefined =>
  errors[0] && missing(`Not found where AWS answered; not every account and region did: ${errors[0].detail}`)

const allClusters = async (deps: Deps, workspaceId: string, filter: Filter) => {
  const sources = await listSources(deps, workspaceId, filter)
  return gather(deps, sources, (source) => readClusters(deps, source).then((found) =>
    found.map((cluster) => ({ ...source, cluster: cluster.name }))))
}

/** @returns where the cluster is; its existence is proved only where a name had to be looked up */
export const resolveCluster = async (deps: Deps, workspaceId: string, text: string, filter: Filter = {}):
Promise<ClusterPlace> => {
  const named = parseReference(text)
  if (named.kind === 'id') {
    const [cluster = '', ...more] = named.path
    if (more.length > 0) throw ClusterNotFound()
    return { ...await placeOfId(deps, workspaceId, named, ClusterNotFound), cluster }
  }
  if (named.kind === 'arn') {
    const cluster = /^cluster\/([^/]+)$/.exec(named.resource)?.[1] ?? ''
    const places = cluster ? await placesOfArn(deps, workspaceId, named) : []
    return exactlyOne(places.map((place) => ({ ...place, cluster })), idOfPlace, ClusterNotFound)
  }
  const { found, errors } = await allClusters(deps, workspaceId, filter)
  const matching = found.filter(({ cluster }) => cluster === named.name)
  return exactlyOne(matching, idOfPlace, ClusterNotFound, firstError(errors, ClusterNotFound))
}

const lookUp = async (deps: Deps, workspaceId: string, wanted: (cluster: string, service: string) => boolean,
  sources?: Source[]): Promise<ServicePlace> => {
  const { found, errors } = await gather(deps, sources ?? await listSources(deps, workspaceId, {}), async (source) => {
    const clusters: Cluster[] = await readClusters(deps, source)
    const lists = await Promise.all(clusters.map(async ({ name: cluster }) => {
      const services = await loadServices(deps, source, cluster)
      return services.map(({ serviceName: service = '' }) => ({ ...source, cluster, service }))
    }))
    return lists.flat()
  })
  const matching = found.filter(({ cluster, service }) => wanted(cluster, service))
  return exactlyOne(matching, idOfPlace, ServiceNotFound, firstError(errors, ServiceNotFound))
}

/** @returns where the service is; for an id its existence is not proved */
export const resolveService = async (deps: Deps, workspaceId: string, text: string): Promise<ServicePlace> => {
  const named = parseReference(text)
  if (named.kind === 'id') {
    const [cluster = '', service = '', ...more] = named.path
    if (!service || more.length > 0) throw ServiceNotFound()
    return { ...await placeOfId(deps, workspaceId, named, ServiceNotFound), cluster, service }
  }
  if (named.kind === 'arn') return resolveArn(deps, workspaceId, named)
  const [first = '', second] = named.name.split('/')
  return lookUp(deps, workspaceId, (cluster, service) =>
    second === undefined ? service === first : cluster === first && service === second)
}

const resolveArn = async (deps: Deps, workspaceId: string, named: Extract<Named, { kind: 'arn' }>):
Promise<ServicePlace> => {
  const [kind, first = '', second] = named.resource.split('/')
  const places = kind === 'service' && first ? await placesOfArn(deps, workspaceId, named) : []
  if (second !== undefined) {
    const found = places.map((place) => ({ ...place, cluster: first, service: second }))
    return exactlyOne(found, idOfPlace, ServiceNotFound)
  }
  // The old form of the ARN does not name the cluster.
  return lookUp(deps, workspaceId, (_cluster, service) => service === first, places)
}
