import { listParkedQuestions, supersedeParked, type ParkedQuestion } from '../../../../db/agent/parked.js'
import type { Db } from '../../../../db/index.js'
import type { Target } from '../../../../schemas/agent/events.js'
import { resumeLater } from './park-run.js'
import type { Deps, RunState } from './run-state.js'

const isSame = (a: Target | null, b: Target | null | undefined): boolean =>
  a !== null && !!b && a.kind === b.kind && a.id === b.id

/**
 * Of what waits beside the conversation, a new write on the same target takes the place.
 * @returns what closes it, in the transaction that stores the new write; undefined when nothing waits there
 */
export const replacingParked = async (deps: Deps, { kind, key }: RunState,
  targets: readonly (Target | null | undefined)[]): Promise<((trx: Db) => Promise<void>) | undefined> => {
  if (kind !== 'chat' || targets.length === 0) return undefined
  const { workspace_id: workspaceId, user_id, session_id, run_id } = key
  const waiting: ParkedQuestion[] = await listParkedQuestions(deps.db, workspaceId, user_id, session_id)
  const replaced = waiting.filter((question) => question.run_id !== run_id &&
    targets.some((target) => isSame(question.target, target)))
  if (replaced.length === 0) return undefined
  return async (trx) => {
    for (const question of replaced) {
      if (await supersedeParked(trx, workspaceId, question)) await resumeLater(deps, trx, workspaceId, question.run_id)
    }
  }
}
