import type { Change } from '../../../../lib/tools/options.js'
import type { PublishTarget, PutTarget } from '../../../../schemas/content/targets.js'

const secretAfter = ({ secret }: PutTarget, before: PublishTarget | undefined): string | null => {
  if (secret === undefined) return before?.secret_set ? 'set' : null
  if (secret === null) return null
  return before?.secret_set ? 'replaced' : 'set'
}

/** A secret is never shown, not even to the person who sends it; only null enables a disabled target again. */
const partsAfter = (target: PutTarget, before: PublishTarget | undefined): [string, unknown][] => {
  const { target_id: _, secret, secret_set: set, disabled_reason: reason, config, ...rest } = target
  const stays = reason === null ? null : before?.disabled_reason ?? null
  return [...Object.entries(rest), ...Object.entries(config), ['secret', secretAfter(target, before)],
    ['disabled_reason', stays]]
}

const partsBefore = ({ target_id: _, secret_set: set, disabled_reason: reason, config, ...rest }: PublishTarget):
[string, unknown][] =>
  [...Object.entries(rest), ...Object.entries(config), ['secret', set ? 'set' : null], ['disabled_reason', reason]]

const field = 'publish_targets'

const kept = (target: PutTarget, before: PublishTarget): Change[] => {
  const [old, now] = [new Map(partsBefore(before)), new Map(partsAfter(target, before))]
  return [...new Set([...old.keys(), ...now.keys()])].map((part) =>
    ({ label: `Target ${before.name}: ${part}`, field, before: old.get(part), after: now.get(part) }))
}

const whole = (parts: [string, unknown][]) => Object.fromEntries(parts.filter(([, value]) => value !== null))

/** @returns the changes of each target: field by field of a kept target, as a whole of a new or removed one */
export const targetChanges = (after: readonly PutTarget[], before: readonly PublishTarget[]): Change[] => {
  const gone = before.filter(({ target_id: id }) => !after.some((target) => target.target_id === id))
  return [
    ...after.flatMap((target) => {
      const old = before.find(({ target_id: id }) => id === target.target_id)
      const row = { label: `Target ${target.name}`, field, before: null, after: whole(partsAfter(target, old)) }
      return old ? kept(target, old) : [row]
    }),
    ...gone.map((target) =>
      ({ label: `Target ${target.name}`, field, before: whole(partsBefore(target)), after: null }))
  ]
}
