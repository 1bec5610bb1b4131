import { dropResults } from '../../../db/pse/generations.js'
import { insertVersion } from '../../../db/pse/versions.js'
import { updateSession } from '../../../db/pse/sessions.js'
import type { SpecDocument } from '../../../schemas/pse/document.js'
import type { Db } from '../../../db/index.js'
import { holdSession } from './change-session.js'
import type { GenerationState } from './generation-state.js'

export const blockingOf = (document: SpecDocument): string[] =>
  document.open_questions.filter(({ blocking, status }) => blocking && status === 'open').map(({ id }) => id)

/** The last step: the version, the session that names it and the generation's end are one transaction. */
export const storeVersion = async (state: GenerationState, document: SpecDocument): Promise<void> => {
  const { workspace_id: workspaceId, session_id: sessionId, id, inputs_seq, standards, created_by } = state.row
  const version = (state.row.base_version ?? 0) + 1
  const first = async (trx: Db) => {
    const session = await holdSession(trx, workspaceId, sessionId)
    await insertVersion(trx, workspaceId, sessionId, {
      version,
      parent_version: state.row.base_version,
      generation_id: id,
      origin: 'generated',
      inputs_seq,
      document,
      standards,
      checks: null,
      created_by
    })
    await updateSession(trx, workspaceId, sessionId, {
      current_version: version,
      approved: false,
      blocking: JSON.stringify(blockingOf(document)),
      stale: session.next_seq - 1 > inputs_seq
    })
    await dropResults(trx, workspaceId, id)
  }
  await state.write({
    first,
    change: { status: 'succeeded', result_version: version },
    steps: [{ key: 'store', status: 'done', begins: true, ends: true }],
    events: [{ event: 'generation_succeeded', data: { generation_id: id, version } }]
  })
}
