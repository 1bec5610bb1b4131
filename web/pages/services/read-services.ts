import { api, body, type Schemas } from '../../api/client'
import { problemOf } from '../../api/problem'

type Cluster = Schemas['Cluster']
export type Service = Schemas['ContainerService']

export interface Found {
  clusters: Cluster[]
  services: Service[]
  partial: boolean
  errors: Schemas['SourceError'][]
}

export interface Page<T> { items: T[], next_cursor: string | null, errors: Schemas['SourceError'][] }

const limit = 100
/** Clusters that are read at the same time. */
const atOnce = 6

/** @returns all pages, with the accounts and regions that did not answer */
export const readAll = async <T>(read: (cursor: string | undefined) => Promise<Page<T>>) => {
  const items: T[] = []
  const errors: Schemas['SourceError'][] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await read(cursor)
    items.push(...page.items)
    errors.push(...page.errors)
    cursor = page.next_cursor ?? undefined
  }
  return { items, errors }
}

/** A cluster that does not answer is one of the errors: the others are shown all the same. */
const servicesOf = (cluster: Cluster, signal: AbortSignal) => readAll<Service>((cursor) =>
  body(api.GET('/infrastructure/containers/clusters/{cluster}/services', {
    params: { path: { cluster: cluster.id }, query: { limit, cursor } }, signal
  }))).catch((error: unknown) => {
  const { code, message } = problemOf(error)
  const { account_id, region } = cluster
  return { items: [], errors: [{ account_id, region, code, detail: message, aws_request_id: null }] }
})

/** @returns the services of all clusters, in all accounts and regions */
export const readServices = async (signal: AbortSignal): Promise<Found> => {
  const { items: clusters, errors } = await readAll<Cluster>((cursor) =>
    body(api.GET('/infrastructure/containers/clusters', { params: { query: { limit, cursor } }, signal })))
  const services: Service[] = []
  for (let from = 0; from < clusters.length && !signal.aborted; from += atOnce) {
    const lists = await Promise.all(clusters.slice(from, from + atOnce).map((cluster) => servicesOf(cluster, signal)))
    services.push(...lists.flatMap(({ items }) => items))
    errors.push(...lists.flatMap((list) => list.errors))
  }
  return { clusters, services, partial: errors.length > 0, errors }
}
