import { dropResults, findProposal } from '../../../db/pse/generations.js'
import { findVersion, insertVersion, type VersionRow } from '../../../db/pse/versions.js'
import { updateSession } from '../../../db/pse/sessions.js'
import type { CheckReport } from '../../../schemas/pse/checks.js'
import type { SpecDocument } from '../../../schemas/pse/document.js'
import type { Suggestion } from '../../../schemas/pse/merge.js'
import type { Db } from '../../../db/index.js'
import { blockingOf } from './blocking.js'
import { holdSession, readSession } from './change-session.js'
import { checkDocument } from './checks/check-document.js'
import type { Deps } from './deps.js'
import type { GenerationTask } from './engine/pipeline.js'
import { GenerationFailed, type GenerationState } from './generation-state.js'
import { mergeDocuments } from './merge/merge-documents.js'

interface Made {
  document: SpecDocument
  suggestions: Suggestion[]
  newest: VersionRow | undefined
  checks: CheckReport
}

/** Somebody edited the spec while it was merged: it is merged again, with that edit. */
class Edited extends Error {}

const findNewest = async ({ db }: Pick<Deps, 'db'>, { row }: GenerationState): Promise<VersionRow | undefined> => {
  const { current_version: version } = await readSession(db, row.workspace_id, row.session_id)
  return version === null ? undefined : findVersion(db, row.workspace_id, row.session_id, version)
}

/** What people changed stays: by the item, against what the last generation proposed. */
const merge = async (deps: Deps, state: GenerationState, theirs: SpecDocument, task: GenerationTask): Promise<Made> => {
  const { workspace_id: workspaceId, session_id: sessionId, request: { preserve, on_conflict } } = state.row
  const newest = await findNewest(deps, state)
  const ours = newest?.document
  const generated = await findProposal(deps.db, workspaceId, sessionId)
  const mode = on_conflict === 'overwrite' ? 'none' : preserve
  const { document, suggestions } = ours
    ? mergeDocuments({ generated, start: task.base, ours, theirs, preserve: mode })
    : { document: theirs, suggestions: [] }
  if (on_conflict === 'fail' && suggestions.length > 0) {
    const targets = suggestions.map(({ target }) => target).join(', ')
    throw new GenerationFailed('edit_conflict', `A person and the generation both changed ${targets}`)
  }
  const { inputs, standards } = task
  const checks = checkDocument({ document, inputs, standards, base: ours, now: new Date() })
  return { document, suggestions, newest, checks }
}

const storeIn = async (trx: Db, { row }: GenerationState, { document, newest, checks }: Made): Promise<void> => {
  const { workspace_id: workspaceId, session_id: sessionId, id, inputs_seq, standards, created_by } = row
  const session = await holdSession(trx, workspaceId, sessionId)
  if (session.current_version !== (newest?.version ?? null)) throw new Edited()
  const version = (newest?.version ?? 0) + 1
  await insertVersion(trx, workspaceId, sessionId, {
    version,
    parent_version: newest?.version ?? null,
    generation_id: id,
    origin: newest?.origin === 'edited' ? 'merged' : 'generated',
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
    stale: session.next_seq - 1 > inputs_seq && session.stale
  })
  await dropResults(trx, workspaceId, id)
}

const store = (state: GenerationState, made: Made, proposal: SpecDocument): Promise<void> => {
  const { id: generation_id } = state.row
  const version = (made.newest?.version ?? 0) + 1
  const { verdict, counts } = made.checks
  return state.write({
    first: (trx) => storeIn(trx, state, made),
    change: { status: 'succeeded', result_version: version, suggestions: made.suggestions, proposal },
    steps: [{ key: 'store', status: 'done', begins: true, ends: true }],
    events: [
      { event: 'check_completed', data: { generation_id, verdict, counts } },
      ...made.suggestions.map(({ target }) => ({ event: 'suggestion_created', data: { generation_id, target } })),
      { event: 'generation_succeeded', data: { generation_id, version } }
    ]
  })
}

/**
 * The last step: what was proposed is merged into the newest version and checked; the version, the session that names
 * it and the generation's end are one transaction.
 */
export const storeVersion = async (deps: Deps, state: GenerationState, proposal: SpecDocument,
  task: GenerationTask): Promise<void> => {
  for (;;) {
    const made = await merge(deps, state, proposal, task)
    deps.crossing('pse.merged')
    try {
      return await store(state, made, proposal)
    } catch (error) {
      if (!(error instanceof Edited)) throw error
    }
  }
}
