import { v7 as uuid } from 'uuid'
import type { TriggerRow } from '../../../../db/agent/triggers.js'
import { fireSoon, once } from './fire-trigger.js'
import type { TriggerDeps } from './start-firing.js'

/** Sets a trigger off by hand. @returns the firing */
export const tryNow = async (deps: TriggerDeps, trigger: TriggerRow): Promise<string> => {
  const { id } = await fireSoon(deps, trigger, { identities: once(`try:${uuid()}`), title: trigger.name, alert: null })
  if (id === undefined) throw new Error('A new identity is always stored')
  return id
}
