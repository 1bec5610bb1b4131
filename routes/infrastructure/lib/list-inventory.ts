import type { Principal } from '../../../lib/security/principal.js'
import type { Cluster } from '../../../schemas/infrastructure/clusters.js'
import type { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import type { ContainerService } from '../../../schemas/infrastructure/services.js'
import { ClusterNotFound } from './errors.js'
import { clustersIn } from './services/read-clusters.js'
import { functionsIn } from './functions/read-functions.js'
import { readServices, servicesKey } from './services/read-services.js'
import { resolveCluster } from './services/resolve.js'
import { gather, listSources, toSourceError, type Deps, type Filter, type Gathered } from './sources.js'
import { ApiError } from '../../../schemas/errors.js'

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
