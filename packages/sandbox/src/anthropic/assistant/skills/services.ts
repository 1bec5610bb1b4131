import { itemsOf } from '../conversation.js'
import { isRecord } from '../../validate/shape.js'
import { phrase } from '../speech/index.js'
import { mentions, text } from './named.js'
import { read, want, type Steps } from './skill.js'

/** A service of a cluster, as far as the skills need it. */
export interface Service {
  id: string
  name: string
  cluster: string
  health: string
  reason: string
  desired: number
  running: number
  images: { container: string, image: string }[]
}

const toService = (item: Record<string, unknown>): Service => ({
  id: text(item.id),
  name: text(item.name),
  cluster: text(item.cluster),
  health: text(item.health) || 'unknown',
  reason: text(item.health_reason),
  desired: Number(item.desired_count ?? 0),
  running: Number(item.running_count ?? 0),
  images: (Array.isArray(item.images) ? item.images : []).filter(isRecord)
    .map(({ container, image }) => ({ container: text(container), image: text(image) }))
})

/** A state of the API in the language of the answer. */
export function stateOf (state: string): string {
  switch (state) {
    case 'healthy': return phrase`healthy`
    case 'degraded': return phrase`degraded`
    case 'down': return phrase`down`
    case 'deploying': return phrase`deploying`
    case 'stopped': return phrase`stopped`
    case 'succeeded': return phrase`succeeded`
    case 'failed': return phrase`failed`
    case 'cancelled': return phrase`cancelled`
    case 'running': return phrase`running`
    case 'queued': return phrase`queued`
    case 'draft': return phrase`draft`
    case 'in_review': return phrase`in review`
    case 'review': return phrase`in review`
    case 'approved': return phrase`approved`
    case 'scheduled': return phrase`scheduled`
    case 'published': return phrase`published`
    case 'archived': return phrase`archived`
    case 'open': return phrase`open`
    case 'connected': return phrase`connected`
    case 'unverified': return phrase`unverified`
    default: return state.replaceAll('_', ' ')
  }
}

/** All services of all clusters. */
export function * listServices (): Steps<Service[]> {
  const clusters = itemsOf((yield * read('listClusters')).data) ?? []
  const calls = yield clusters.map(({ id }) => want('listClusterServices', { cluster: id }))
  return calls.flatMap((call) => itemsOf(call.data) ?? []).map(toService)
}

/** @returns the services that the message names, those in a cluster that it names if it names one */
export const namedIn = (message: string, services: Service[]): Service[] => {
  const named = services.filter(({ name }) => mentions(message, name))
  const inCluster = named.filter(({ cluster, name }) => cluster !== name && mentions(message, cluster))
  return inCluster.length > 0 ? inCluster : named
}

const listOf = (services: Service[]): string =>
  [...new Set(services.map(({ name }) => name))].slice(0, 12).join(', ')

/** @returns the one service that is meant, or the question that is to be asked */
export const theOne = (message: string, services: Service[], verb: string): Service | string => {
  const [first, ...others] = namedIn(message, services)
  if (!first) return phrase`Which service shall I ${verb}: ${listOf(services)}?`
  if (others.length === 0) return first
  const choices = [first, ...others].map(({ name, cluster }) => phrase`${name} in ${cluster}`)
  return phrase`Which one shall I ${verb}: ${choices.join(phrase` or `)}?`
}
