import type { SpecDocument, CheckReport, Suggestion } from 'steward-spec-engine/schemas'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { keepUnchanged } from 'steward-spec-engine/merge'
import type { Db } from '../../../../db/index.js'
import { dropResults, findProposal } from '../../../../db/pse/generations.js'
import { updateSession } from '../../../../db/pse/sessions.js'
import { insertVersion, findVersion, type VersionRow } from '../../../../db/pse/versions.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'
import type { Deps } from '../errors.js'
import { blockingOf } from '../inputs/describe-input.js'
import { runInProcess } from '../process/run-in-process.js'
import { holdSession, readSession } from '../sessions/read-version.js'
import { type GenerationState, GenerationFailed } from './generation-state.js'

interface Merged {
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
const mergeProposal = async (deps: Deps, state: GenerationState, theirs: SpecDocument, task: GenerationTask):
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

/** An edit made another version current during the merge: the merge runs again with that version. */
class Edited extends Error {}

const originOf = (mode: GenerationState['row']['mode'], newest: Merged['newest']) => {
  if (mode === 'import') return 'imported' as const
  return newest?.origin === 'edited' ? 'merged' as const : 'generated' as const
}

const storeIn = async (trx: Db, { row }: GenerationState, { document, newest, checks }: Merged): Promise<void> => {
  const { workspace_id: workspaceId, session_id: sessionId, id, mode, inputs_seq, standards, created_by } = row
  const session = await holdSession(trx, workspaceId, sessionId)
  if (session.current_version !== (newest?.version ?? null)) throw new Edited()
  const version = (newest?.version ?? 0) + 1
  await insertVersion(trx, workspaceId, sessionId, {
    version,
    parent_version: newest?.version ?? null,
    generation_id: id,
    origin: originOf(mode, newest),
    inputs_seq,
    document,
    standards,
    checks,
    created_by
  })
  await updateSession(trx, workspaceId, sessionId, {
    current_version: version,
    approved: false,
    blocking: JSON.stringify(blockingOf(document)),
    // A new part does not make the rest of the spec up to date.
    stale: session.stale && (mode !== 'full' || session.next_seq - 1 > inputs_seq)
  })
  await dropResults(trx, workspaceId, sessionId)
}

const store = (state: GenerationState, made: Merged): Promise<void> => {
  const { id: generation_id } = state.row
  const version = (made.newest?.version ?? 0) + 1
  const { verdict, counts } = made.checks
  return state.write({
    first: (trx) => storeIn(trx, state, made),
    change: { status: 'succeeded', result_version: version, suggestions: made.suggestions, proposal: made.proposal },
    steps: [{ key: 'store', status: 'done', begins: true, ends: true }],
    events: [
      { event: 'check_completed', data: { generation_id, verdict, counts } },
      ...made.suggestions.map(({ target }): NewSpecEvent =>
        ({ event: 'suggestion_created', data: { generation_id, target } })),
      { event: 'generation_succeeded', data: { generation_id, version } }
    ]
  })
}

/**
 * The last step: merges the proposal into the newest version and checks the result. One transaction writes the
 * version, the session that names it and the generation's end.
 */
export const storeVersion = async (deps: Deps, state: GenerationState, proposal: SpecDocument,
  task: GenerationTask): Promise<void> => {
  for (;;) {
    const made = await mergeProposal(deps, state, proposal, task)
    deps.failpoint('pse.merged')
    try {
      return await store(state, made)
    } catch (error) {
      if (!(error instanceof Edited)) throw error
    }
  }
}
