import type { PreferenceRow } from '../../../../db/agent/preferences.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import type { Tool } from '../../../../lib/tools/tool.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import { namesOf, type MadePlan } from '../../../../lib/tools/make-plan.js'
import { isObject } from '../../../../schemas/unknown.js'

const applies = (preference: PreferenceRow, tool: string): boolean =>
  preference.status === 'active' && (preference.applies_to.length === 0 || preference.applies_to.includes(tool))

const argumentsOf = (preference: PreferenceRow): Arguments | undefined =>
  isObject(preference.value) ? preference.value : undefined

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

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the plan matches the rule, whatever name the call or the rule uses for the target. */
const matches = (rule: Arguments, tool: Tool, input: Arguments, plan: MadePlan): boolean => {
  const names = namesOf(plan)
  return Object.entries(rule).every(([name, value]) =>
    [input[name], plan.arguments[name] ?? tool.settings.get(name), plan.facts[name]]
      .some((given) => given !== undefined && isSameJson(given, value)) ||
    (typeof value === 'string' && (name in plan.arguments || name in (plan.target.within ?? {})) &&
      (names.has(value) || names.has(decoded(value)))))
}

/** @returns the key of a preference that forbids what the plan does; enforced here, not by the prompt */
export const findForbidding = (
  tool: Tool,
  input: Arguments,
  plan: MadePlan,
  preferences: readonly PreferenceRow[]
): string | undefined =>
  preferences.find(
    (preference) =>
      preference.kind === 'forbid' &&
      preference.applies_to.length > 0 &&
      applies(preference, tool.name) &&
      matches(argumentsOf(preference) ?? {}, tool, input, plan)
  )?.key
