import type { Service } from './read-services'
import type { Running } from './read-running'

type Health = Service['health']

/** The worst first: what needs a person stands on top, over all clusters. Functions have no health in lists. */
const order: (Health | null)[] = ['down', 'degraded', 'deploying', 'unknown', 'healthy', null, 'stopped']

export const needsAttention = ({ health }: { health: Health | null }): boolean =>
  health === 'down' || health === 'degraded' || health === 'unknown'

const names = new Intl.Collator(undefined, { numeric: true })

interface Named { id: string, name: string, health: Health | null }

/** @returns the worst first */
export const byHealth = <T extends Named>(all: readonly T[]): T[] => all.toSorted((a, b) =>
  order.indexOf(a.health) - order.indexOf(b.health) || names.compare(a.name, b.name) || names.compare(a.id, b.id))

/** @returns those that have each of the words, the worst first */
export const arrange = (all: readonly Running[], words: string): Running[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return byHealth(all.filter(({ text }) => wanted.every((word) => text.includes(word))))
}
