import { findVersion, updateChecks } from '../../../db/pse/versions.js'
import { holdSession } from './change-session.js'
import { checkSpec } from './check-spec.js'
import type { Deps } from './deps.js'
import { GenerationFailed, type GenerationState } from './generation-state.js'

const edited = () => new GenerationFailed('base_version_stale', 'The spec was edited while it was checked')

/** Checks the version again, against the inputs, waivers and standards that there are now. It makes no version. */
export const checkVersion = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { workspace_id, session_id, id: generation_id, inputs_seq, standards, base_version } = state.row
  await state.write({ change: { status: 'checking' } })
  const read = (version: number | null | undefined) =>
    version ? findVersion(deps.db, workspace_id, session_id, version) : undefined
  const row = await read(base_version)
  if (!row) throw edited()
  const { version, document, reviews } = row
  const base = (await read(row.parent_version))?.document
  const of = { workspace_id, session_id, document, inputs_seq, standards, reviews }
  const report = await checkSpec(deps.db, { ...of, base })
  const { verdict, counts } = report
  await state.write({
    first: async (trx) => {
      const session = await holdSession(trx, workspace_id, session_id)
      if (session.current_version !== version) throw edited()
      await updateChecks(trx, workspace_id, session_id, version, report)
    },
    change: { status: 'succeeded', result_version: version },
    steps: [{ key: 'check', status: 'done', begins: true, ends: true }],
    events: [
      { event: 'check_completed', data: { generation_id, verdict, counts } },
      { event: 'generation_succeeded', data: { generation_id, version } }
    ]
  })
}
