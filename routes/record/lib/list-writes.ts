import type { Db } from '../../../db/index.js'
import { listSteps, type StepRow } from '../../../db/record/entries.js'
import type { AuditWrite } from '../../../schemas/record/entries.js'

/** Of a write that asks, the request that Steward makes of itself is no step: what was sent and what came back are. */
const withoutOwn = (rows: readonly StepRow[]): readonly StepRow[] =>
  rows.some(({ kind }) => kind !== 'direct') ? rows.filter(({ kind }) => kind !== 'direct') : rows

/** What let it run, unless people decided: then their decision says who. */
const unaskedBy = (rows: readonly StepRow[]): string | null => {
  const by = rows.findLast(({ kind }) => kind === 'sent')?.decided_by ?? null
  return by?.startsWith('user:') ? null : by
}

/** @returns a write in short: its first entry says what it was, its last one where it stands */
const toWrite = (all: readonly StepRow[]): AuditWrite[] => {
  const rows = withoutOwn(all)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return []
  const asked = rows.findLast(({ kind }) => kind === 'asked')
  return [{
    write_id: first.write_id,
    operation: first.operation,
    target: asked?.target ?? last.target ?? first.target,
    summary: asked?.summary ?? null,
    user_id: first.user_id,
    via: first.via,
    outcome: last.outcome,
    decided_by: unaskedBy(rows),
    began_at: first.at,
    at: last.at,
    steps: rows.map(({ seq, at, kind, outcome, status, user_id, via, reason }) =>
      ({ seq, at, kind, outcome, status, user_id, via, reason }))
  }]
}

/** @returns these writes in their order, each with its entries in short */
export const showWrites = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<AuditWrite[]> => {
  const rows = ids.length === 0 ? [] : await listSteps(db, workspaceId, ids)
  return ids.flatMap((id) => toWrite(rows.filter(({ write_id: of }) => of === id)))
}
