import { readTotals, type SessionRow, type Totals } from '../../../../db/pse/sessions.js'
import type { Db } from '../../../../db/index.js'
import type { Money } from '../../../../schemas/common.js'
import type { SpecSession, SpecSessionSummary } from '../../../../schemas/pse/sessions.js'

/** @param micros millionths of a dollar; null = unknown */
export const moneyOf = (micros: number | null): Money | null =>
  micros === null ? null : { amount: (micros / 1_000_000).toFixed(6), currency: 'USD' }

export const describeSummary = (row: SessionRow): SpecSessionSummary => ({
  session_id: row.id,
  project_id: row.project_id,
  title: row.title,
  description: row.description,
  spec_type: row.spec_type,
  profile: row.profile,
  notation: row.notation,
  locale: row.locale,
  state: row.state,
  stale: row.stale,
  current_version: row.current_version,
  approved_version: row.approved_version,
  active_generation_id: row.active_generation_id,
  blocking_questions: row.blocking.length,
  check_verdict: row.check_verdict,
  revision: row.revision,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at
})

const describeTotals = ({ generations, input_tokens, output_tokens, cost_usd_micros: micros }: Totals) =>
  ({ generations, input_tokens, output_tokens, cost: moneyOf(micros) })

export const describeSession = async (db: Db, row: SessionRow): Promise<SpecSession> => {
  const totals = await readTotals(db, row.workspace_id, row.id)
  return {
    ...describeSummary(row),
    artifacts: row.artifacts,
    standards: row.standards,
    options: row.options,
    inputs: totals.inputs,
    totals: describeTotals(totals)
  }
}
