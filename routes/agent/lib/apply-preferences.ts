import type { PreferenceRow } from '../../../db/agent/preferences.js'
import type { Arguments } from '../../../plugins/tool-options.js'

const applies = (preference: PreferenceRow, tool: string): boolean =>
  preference.status === 'active' && (preference.applies_to.length === 0 || preference.applies_to.includes(tool))

const argumentsOf = (preference: PreferenceRow): Arguments | undefined =>
  typeof preference.value === 'object' && preference.value !== null && !Array.isArray(preference.value)
    ? (preference.value as Arguments)
    : undefined

/** Fills in what the person has set as default and the call left open; only arguments that the tool knows. */
export const withDefaults = (
  tool: string,
  known: ReadonlySet<string>,
  args: Arguments,
  preferences: readonly PreferenceRow[]
): Arguments => {
  const filled = { ...args }
  for (const preference of preferences) {
    if (preference.kind !== 'default' || !applies(preference, tool)) continue
    for (const [name, value] of Object.entries(argumentsOf(preference) ?? {})) {
      if (known.has(name) && filled[name] === undefined) filled[name] = value
    }
  }
  return filled
}

const matches = (wanted: Arguments, args: Arguments): boolean =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(args[name]) === JSON.stringify(value))

/** @returns the key of a preference that forbids this very call; enforced here, not by the prompt */
export const findForbidding = (
  tool: string,
  args: Arguments,
  preferences: readonly PreferenceRow[]
): string | undefined =>
  preferences.find(
    (preference) =>
      preference.kind === 'forbid' &&
      preference.applies_to.length > 0 &&
      applies(preference, tool) &&
      matches(argumentsOf(preference) ?? {}, args)
  )?.key
