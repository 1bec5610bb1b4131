import { findProposal } from '../../../../db/pse/generations.js'
import { findVersion, type VersionRow } from '../../../../db/pse/versions.js'
import type { CheckReport, SpecDocument, Suggestion } from 'steward-spec-engine/schemas'
import { readSession } from '../sessions/change-session.js'
import type { Deps } from '../deps.js'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { GenerationFailed, type GenerationState } from './generation-state.js'
import { keepUnchanged } from 'steward-spec-engine/merge'
import { runInProcess } from '../process/run-in-process.js'

export interface Merged {
  document: SpecDocument
  suggestions: Suggestion[]
  newest: VersionRow | undefined
  checks: CheckReport
  /** The generation's own proposal, before any edit: the base of the next three-way merge. */
  proposal: SpecDocument
}

const findNewest = async ({ db }: Pick<Deps, 'db'>, { row }: GenerationState): Promise<VersionRow | undefined> => {
  const { current_version: version } = await readSession(db, row.workspace_id, row.session_id)
  return version === null ? undefined : findVersion(db, row.workspace_id, row.session_id, version)
}

interface Sides { generated: SpecDocument | undefined, ours: SpecDocument, theirs: SpecDocument }

const mergeSides = async ({ row }: GenerationState, task: GenerationTask, sides: Sides) => {
  const { preserve, on_conflict } = row.request
  const merged = await runInProcess('merge', {
    ...sides,
    start: task.base,
    preserve: on_conflict === 'overwrite' ? 'none' : preserve,
    isPart: task.mode !== 'full'
  }, task.inputs)
  const { suggestions } = merged
  if (on_conflict === 'fail' && suggestions.length > 0) {
    const targets = suggestions.map(({ target }) => target).join(', ')
    throw new GenerationFailed('edit_conflict', `A person and the generation both changed ${targets}`)
  }
  return merged
}

/** Of a generation of parts, keeps only what it changed: the rest may hold people's edits. */
const proposalToKeep = ({ mode, base }: GenerationTask, generated: SpecDocument | undefined, proposal: SpecDocument) =>
  mode !== 'full' && base && generated ? keepUnchanged(proposal, base, generated) : proposal

/** Merges a proposal into the newest version item by item; the last generation's proposal is the base. */
export const mergeProposal = async (deps: Deps, state: GenerationState, theirs: SpecDocument, task: GenerationTask):
Promise<Merged> => {
  const newest = await findNewest(deps, state)
  const generated = await findProposal(deps.db, state.row.workspace_id, state.row.session_id)
  const { document, suggestions } = newest
    ? await mergeSides(state, task, { generated, ours: newest.document, theirs })
    : { document: theirs, suggestions: [] }
  const { inputs, standards } = task
  const checks = await runInProcess('check', { document, inputs, standards, base: newest?.document, now: new Date() })
  return { document, suggestions, newest, checks, proposal: proposalToKeep(task, generated, theirs) }
}
