import { findEditedCall } from '../../../../db/agent/calls.js'
import { listNames } from '../../../../lib/account/people.js'
import type { MadePlan } from '../../../../lib/tools/make-plan.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import { showLine } from '../../../../lib/tools/show-text.js'
import type { PreviewRow } from '../../../../schemas/agent/events.js'
import { changedArguments } from './changed-arguments.js'
import type { Deps } from '../run/run-state.js'

/** An argument that a person had changed, and that a call has again as it was before. */
interface Repeated { name: string, from: unknown, to: unknown, by: string }

type Planned = Pick<MadePlan, 'arguments' | 'target'>

/** @returns what of a plan takes back what a person had changed when the same was asked before in the session */
export const findRepeated = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, sessionId: string, name: string,
  { arguments: args, target }: Planned): Promise<Repeated[]> => {
  const edited = await findEditedCall(db, workspaceId, sessionId, { name, target })
  if (!edited) return []
  const { proposed, arguments: ran, by } = edited
  return changedArguments(proposed, ran)
    .filter((field) => isSameJson(args[field] ?? null, proposed[field] ?? null))
    .map((field) => ({ name: field, from: proposed[field], to: ran[field], by }))
}

const asText = (value: unknown): string => value === undefined || value === null ? 'nothing' : JSON.stringify(value)

/** @returns a row for each such argument: who had changed it, and how */
export const repeatedRows = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, repeated: readonly Repeated[]):
Promise<PreviewRow[]> => {
  if (repeated.length === 0) return []
  const names = await listNames(db, workspaceId, repeated.map(({ by }) => by))
  return repeated.map(({ name, from, to, by }) => ({
    label: 'Changed before',
    before: null,
    after: showLine(`${names.get(by) ?? 'A person'} changed ${name} from ${asText(from)} to ${asText(to)} ` +
      'when this was asked before in this conversation')
  }))
}
