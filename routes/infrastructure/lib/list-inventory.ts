import type { Principal } from '../../../lib/security/principal.js'
import type { Cluster } from '../../../schemas/infrastructure/clusters.js'
import type { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import type { ContainerService } from '../../../schemas/infrastructure/services.js'
import { ClusterNotFound } from './errors.js'
import { clustersKey, readClusters } from './read-clusters.js'
import { functionsKey, readFunctions } from './read-functions.js'
import { readServices, servicesKey } from './read-services.js'
import { resolveCluster } from './resolve.js'
import { gather, listSources, toSourceError, type Deps, type Filter, type Gathered } from './sources.js'
import { ApiError } from '../../../schemas/errors.js'

/** `age`: seconds since the oldest part was read from AWS. */
export type Listed<T> = Gathered<T> & { age: number }

/** @throws the source's error when no source answered */
export const listClusters = async (deps: Deps, principal: Principal, filter: Filter): Promise<Listed<Cluster>> => {
  const sources = await listSources(deps, principal, filter)
  const gathered = await gather(deps, sources, (source) => readClusters(deps, source))
  return { ...gathered, age: Math.max(0, ...sources.map((source) => deps.aws.inventory.age(clustersKey(source)))) }
}

/** @throws cluster_not_found, ambiguous_identifier, and what AWS answers */
export const listServices = async (deps: Deps, principal: Principal, cluster: string, filter: Filter):
Promise<Listed<ContainerService>> => {
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
Promise<Listed<ServerlessFunction>> => {
  const sources = await listSources(deps, principal, filter)
  const gathered = await gather(deps, sources, (source) => readFunctions(deps, source))
  return { ...gathered, age: Math.max(0, ...sources.map((source) => deps.aws.inventory.age(functionsKey(source)))) }
}
