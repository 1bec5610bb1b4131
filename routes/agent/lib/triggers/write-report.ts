import { listCalls, type CallRecord } from '../../../../db/agent/calls.js'
import { findFiring } from '../../../../db/agent/firings.js'
import { insertReport } from '../../../../db/agent/reports.js'
import type { Db } from '../../../../db/index.js'
import { checkReport, type Source } from './check-report.js'
import { citationOf } from '../calls/cite-call.js'
import type { Deps, RunState } from '../run/run-state.js'

const sourceOf = (call: CallRecord): Source => ({
  id: call.id, names: [citationOf(call), call.id, call.tool_use_id], result: call.result
})

/**
 * Checks the last answer of a run that nobody reads along, against the whole results as they are stored.
 * @returns what stores the report, with the answer itself; undefined where the run has none to write
 */
export const writeReport = async (deps: Deps, { key, firing: id, title }: RunState, text: string):
Promise<((trx: Db) => Promise<void>) | undefined> => {
  const { workspace_id, run_id, session_id, user_id } = key
  if (id === null || text.trim() === '') return undefined
  const [calls, firing] = await Promise.all([
    listCalls(deps.db, workspace_id, run_id), findFiring(deps.db, workspace_id, id)
  ])
  if (!firing) return undefined
  const alert = firing.alert === null ? undefined : { title: firing.title, alert: firing.alert }
  const sentences = checkReport(text, calls.map(sourceOf), alert)
  const unsupported = sentences.filter(({ status }) => status === 'unsupported' || status === 'uncited').length
  const report = { user_id, firing_id: id, session_id, run_id, title: title ?? firing.title, sentences, unsupported }
  return (trx) => insertReport(trx, workspace_id, report)
}
