import type { Service } from './read-services'

/** The worst first: what needs a person stands on top, over all clusters. */
const order: Service['health'][] = ['down', 'degraded', 'deploying', 'unknown', 'healthy', 'stopped']

export const needsAttention = ({ health }: Service): boolean =>
  health === 'down' || health === 'degraded' || health === 'unknown'

const textOf = (service: Service): string => [
  service.name, service.cluster, service.account_name, service.region, service.health, service.health_reason ?? '',
  service.environment ?? '', ...(service.images ?? []).map(({ image }) => image)
].join(' ').toLowerCase()

const names = new Intl.Collator(undefined, { numeric: true })

/** @returns the services that have each of the words, the worst first */
export const arrange = (services: readonly Service[], words: string): Service[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return services
    .filter((service) => wanted.every((word) => textOf(service).includes(word)))
    .sort((a, b) => order.indexOf(a.health) - order.indexOf(b.health) || names.compare(a.name, b.name) ||
      names.compare(a.id, b.id))
}
