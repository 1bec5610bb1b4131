import { api, body, type Schemas } from '../../api/client'
import { problemOf, type Problem } from '../../api/problem'
import { readAll, readServices, type Service } from './read-services'

export type Kind = 'service' | 'function'

/** A service of ECS or a function of Lambda, as the list shows it. */
export interface Running {
  id: string
  kind: Kind
  name: string
  /** Its page. */
  href: string
  /** Where it runs, from the cluster to the region. */
  where: string[]
  /** null where lists do not have it. */
  health: Service['health'] | null
  reason: string | null
  tasks: string | null
  /** What runs: the images, or the runtime. */
  versions: string[]
  /** All words by which it is found, in small letters. */
  text: string
}

export interface Found {
  running: Running[]
  clusters: number
  partial: boolean
  errors: Schemas['SourceError'][]
  /** The kinds of which nothing could be listed, and why. */
  unread: { kind: Kind, problem: Problem }[]
}

const searchable = (words: readonly (string | null)[]): string => words.join(' ').toLowerCase()

const toService = (service: Service): Running => {
  const { id, name, cluster, account_name: account, region, health, health_reason: reason, environment } = service
  const versions = service.images?.map(({ image }) => image) ?? []
  const where = [cluster, account, region]
  return {
    id,
    kind: 'service',
    name,
    href: `/services/${encodeURIComponent(id)}`,
    where,
    health,
    reason,
    tasks: `${service.running_count} / ${service.desired_count}`,
    versions,
    text: searchable([name, ...where, health, reason, environment, ...versions])
  }
}

const toFunction = (item: Schemas['ServerlessFunction']): Running => {
  const { id, name, account_name: account, region, environment, description } = item
  const versions = [item.runtime ?? item.package_type]
  const where = [account, region]
  return {
    id,
    kind: 'function',
    name,
    href: `/functions/${encodeURIComponent(id)}`,
    where,
    health: null,
    reason: null,
    tasks: null,
    versions,
    text: searchable([name, ...where, environment, description, ...versions])
  }
}

const readFunctions = (signal: AbortSignal) => readAll<Schemas['ServerlessFunction']>((cursor) =>
  body(api.GET('/infrastructure/serverless/functions', { params: { query: { limit: 100, cursor } }, signal })))

/**
 * @returns the services and functions of all accounts and regions. When one of the two cannot be listed, the other is
 * there all the same; when neither can, its problem is thrown
 */
export const readRunning = async (signal: AbortSignal): Promise<Found> => {
  const [services, functions] = await Promise.allSettled([readServices(signal), readFunctions(signal)])
  if (services.status === 'rejected' && functions.status === 'rejected') throw services.reason
  const listed = [services, functions].flatMap((each) => each.status === 'fulfilled' ? each.value.errors : [])
  const unread: Found['unread'] = []
  if (services.status === 'rejected') unread.push({ kind: 'service', problem: problemOf(services.reason) })
  if (functions.status === 'rejected') unread.push({ kind: 'function', problem: problemOf(functions.reason) })
  return {
    running: [
      ...services.status === 'fulfilled' ? services.value.services.map(toService) : [],
      ...functions.status === 'fulfilled' ? functions.value.items.map(toFunction) : []
    ],
    clusters: services.status === 'fulfilled' ? services.value.clusters.length : 0,
    partial: listed.length > 0,
    errors: listed,
    unread
  }
}
