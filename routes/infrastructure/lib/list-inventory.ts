import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import type { SourceError } from '../../../schemas/common.js'
import { ApiError } from '../../../schemas/errors.js'
import type { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import type { Cluster, ContainerService } from '../../../schemas/infrastructure/services.js'
import { ClusterNotFound, gather, listSources, toSourceError, type Deps, type Filter, type Gathered } from './errors.js'
import { functionsIn } from './functions/read-functions.js'
import { clustersIn } from './services/read-clusters.js'
import { readServices, servicesKey } from './services/read-services.js'
import { resolveCluster } from './services/resolve.js'

interface PageQuery { cursor?: string, limit: number, account_id?: string, region?: string }

export interface PartialPage<T> { items: T[], next_cursor: string | null, partial: boolean, errors: SourceError[] }

/** How many items fit, at least one. */
const fitting = (items: object[], maxBytes: number): number => {
  let bytes = 0
  const tooMany = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > maxBytes)
  return tooMany === -1 ? items.length : Math.max(1, tooMany)
}

/**
 * One page of a list that is known whole, in the order of the ids.
 * @param after the id that the page before ended with
 * @param maxBytes of the items as JSON; the page ends before
 * @returns `last` where the next page begins; undefined at the end
 */
const slicePage = <T extends { id: string }>(all: T[], limit: number, after: string | undefined,
  maxBytes: number): { items: T[], last: string | undefined } => {
  const sorted = all.filter(({ id }) => after === undefined || id > after).sort((a, b) => a.id < b.id ? -1 : 1)
  const page = sorted.slice(0, limit)
  const items = maxBytes === Infinity ? page : page.slice(0, fitting(page, maxBytes))
  return { items, last: sorted.length > items.length ? items.at(-1)?.id : undefined }
}

/** What stands around the items, with room for a cursor. */
const envelopeBytes = (errors: SourceError[]): number => 1_500 + Buffer.byteLength(JSON.stringify(errors))

/** @returns one page of an inventory list, which only the caller and the list that made its cursor go on with */
export const makePage = <T extends { id: string }>({ cursors, config }: Pick<FastifyInstance, 'cursors' | 'config'>,
  principal: Principal, list: string, query: PageQuery, { found, partial, errors }: Gathered<T>): PartialPage<T> => {
  const { cursor, limit, ...filter } = query
  const after = cursor === undefined ? undefined : String(cursors.decode(principal, list, filter, cursor)[0])
  // What the model gets is cut beyond this: a shorter page, with its cursor, loses nothing.
  const isForModel = principal.via === 'assistant' || principal.assistant === true
  const maxBytes = isForModel ? config.limits.result_model_bytes - envelopeBytes(errors) : Infinity
  const { items, last } = slicePage(found, limit, after, maxBytes)
  const next = last === undefined ? null : cursors.encode(principal, list, filter, [last])
  return { items, partial, errors, next_cursor: next }
}

/** @throws the source's error when no source answered */
export const listClusters = async (deps: Deps, principal: Principal, filter: Filter): Promise<Gathered<Cluster>> =>
  gather(deps, await listSources(deps, principal, filter), clustersIn(deps))

/** @throws cluster_not_found, ambiguous_identifier, and what AWS answers */
export const listServices = async (deps: Deps, principal: Principal, cluster: string, filter: Filter):
Promise<Gathered<ContainerService>> => {
  const ref = await resolveCluster(deps, principal, cluster, filter)
  const { services: found, unread } = await readServices(deps, ref, ref.cluster).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'aws_resource_not_found') throw ClusterNotFound()
    throw error
  })
  const errors = unread ? [toSourceError(ref, unread)] : []
  return { found, errors, partial: errors.length > 0, age: deps.aws.inventory.age(servicesKey(ref, ref.cluster)) }
}

/** @throws the source's error when no source answered */
export const listFunctions = async (deps: Deps, principal: Principal, filter: Filter):
Promise<Gathered<ServerlessFunction>> =>
  gather(deps, await listSources(deps, principal, filter), functionsIn(deps))
