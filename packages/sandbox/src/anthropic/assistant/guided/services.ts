import { readItems } from '../conversation.js'
import type { Say } from './forms.js'
import { read, type Steps } from './steps.js'
import { plain, text } from './texts.js'

/** A service of a cluster, as far as the conversations need it. */
export interface Service {
  id: string
  name: string
  cluster: string
  /** How people name it: with its cluster only where another has the same name. */
  label: string
  health: string
  reason: string
  desired: number
  running: number
  isScalable: boolean
}

const toService = (item: Record<string, unknown>): Service => ({
  id: text(item.id),
  name: text(item.name),
  cluster: text(item.cluster),
  label: text(item.name),
  health: text(item.health) || 'unknown',
  reason: text(item.health_reason),
  desired: Number(item.desired_count ?? 0),
  running: Number(item.running_count ?? 0),
  isScalable: item.scheduling !== 'DAEMON' && item.status === 'ACTIVE'
})

/** All services of all clusters, those that need attention first. */
export function * listServices (): Steps<Service[]> {
  const clusters = readItems((yield * read('listClusters')).data)
  if (clusters.length === 0) return []
  const calls = yield clusters.map(({ id }) => ({ name: 'listClusterServices', input: { cluster: id } }))
  const services = calls.flatMap((call) => readItems(call.data)).map(toService)
  return services.map((service) => {
    const isTwice = services.some((other) => other !== service && other.name === service.name)
    return isTwice ? { ...service, label: `${service.name} in ${service.cluster}` } : service
  }).toSorted((a, b) => Number(isWell(a)) - Number(isWell(b)))
}

export const isWell = ({ health, running, desired }: Service): boolean =>
  ['healthy', 'stopped'].includes(health) && running >= desired

/** @returns the service of that name; nothing that is only like it */
export const findService = (services: readonly Service[], label = ''): Service | undefined =>
  services.find((service) => service.label.toLowerCase() === label.toLowerCase())

const states: Record<string, string> = {
  healthy: 'gesund',
  degraded: 'beeinträchtigt',
  down: 'ausgefallen',
  deploying: 'wird ausgeliefert',
  stopped: 'gestoppt',
  unknown: 'unbekannt'
}

/** AWS's reason begins with the number of tasks, too. */
export const describeService = ({ name, cluster, health, running, desired, reason }: Service, say: Say): string => {
  const why = reason.replace(/^\d+ of \d+ tasks run:?\s*/i, '')
  const state = say(health, states[health] ?? health)
  const line = say(
    `**${plain(name)}** in ${plain(cluster)}: ${state}, ${running} of ${desired} tasks running`,
    `**${plain(name)}** in ${plain(cluster)}: ${state}, ${running} von ${desired} Tasks laufen`)
  return why === '' ? line : `${line}. ${plain(why)}`
}
