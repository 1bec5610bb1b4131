import type { Target } from './options.js'

/** Whether one acts on what the other acts on, or on what holds it. */
export const depends = (a: Target, b: Target): boolean => {
  const holds = (target: Target, id: string) => target.id === id || Object.values(target.within ?? {}).includes(id)
  return holds(a, b.id) || holds(b, a.id)
}
