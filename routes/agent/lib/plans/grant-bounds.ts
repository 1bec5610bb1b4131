import { isSameJson } from '../../../../lib/tools/digest.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import type { Arguments } from '../../../../lib/tools/options.js'
import { riskiest } from '../../../../lib/tools/riskiest.js'
import { isUnchanged } from '../../../../lib/tools/show-changes.js'
import type { PreviewRow } from '../../../../schemas/agent/events.js'
import type { ArgumentBound, GrantBounds } from '../../../../schemas/agent/grants.js'

/** What a card displayed. */
type Displayed = Pick<MadePlan, 'arguments' | 'preview' | 'risk'>

const toBound = (name: string, value: unknown): ArgumentBound =>
  typeof value === 'number' ? { name, minimum: value, maximum: value } : { name, equals: value }

/** @returns the bounds of what a card displayed: these arguments, and these changes */
export const toBounds = ({ arguments: args, preview, risk }: Displayed): GrantBounds => ({
  arguments: Object.entries(args).filter(([, value]) => value !== undefined)
    .map(([name, value]) => toBound(name, value)),
  changes: preview.map(({ shown: _, ...row }) => row),
  risk
})

const isWithin = ({ minimum, maximum, equals }: ArgumentBound, value: unknown): boolean =>
  minimum !== undefined && maximum !== undefined
    ? typeof value === 'number' && value >= minimum && value <= maximum
    : isSameJson(equals, value)

const fitArguments = (bounds: readonly ArgumentBound[], args: Arguments): boolean => {
  const given = Object.entries(args).filter(([, value]) => value !== undefined)
  return given.length === bounds.length && given.every(([name, value]) =>
    bounds.some((bound) => bound.name === name && isWithin(bound, value)))
}

/** What is not displayed whole is not displayed: two values may differ in what was cut. */
const isDisplayed = (displayed: readonly PreviewRow[], row: PreviewRow): boolean =>
  row.truncated !== true && displayed.some(({ label, before, after, diff, truncated }) => truncated !== true &&
    isSameJson([label, before, after, diff ?? null], [row.label, row.before, row.after, row.diff ?? null]))

/** @returns whether a plan does no more than the grant's card displayed: the same arguments, no other change */
export const isCovered = (bounds: GrantBounds | null, { arguments: args, preview, risk }: Displayed): boolean =>
  bounds !== null && riskiest([bounds.risk, risk]) === bounds.risk && fitArguments(bounds.arguments, args) &&
  preview.every((row) => isUnchanged(row) || isDisplayed(bounds.changes, row))
