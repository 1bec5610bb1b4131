import { dropResults } from '../../../../db/pse/generations.js'
import { insertVersion } from '../../../../db/pse/versions.js'
import { updateSession } from '../../../../db/pse/sessions.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { Db } from '../../../../db/index.js'
import { blockingOf } from '../inputs/blocking.js'
import { holdSession } from '../sessions/change-session.js'
import type { Deps } from '../deps.js'
import type { GenerationTask } from 'steward-spec-engine/engine'
import type { GenerationState } from './generation-state.js'
import { mergeProposal, type Merged } from './merge-proposal.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'

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
