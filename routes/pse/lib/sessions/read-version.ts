import type { Db } from '../../../../db/index.js'
import {
  readTotals, type SessionRow, type Totals, findSession, insertSession, lockDeletedSession, lockSession,
  updateSession, type SessionChange
} from '../../../../db/pse/sessions.js'
import { findVersion, type VersionRow, type VersionSummaryRow } from '../../../../db/pse/versions.js'
import { findProject } from '../../../../lib/account/projects.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import type { Money } from '../../../../schemas/common.js'
import { NotFound } from '../../../../schemas/errors.js'
import {
  type SpecSession, type SpecSessionSummary, sessionDefaults, type SpecOptions, type UpdateSpecSession
} from '../../../../schemas/pse/sessions.js'
import type { SpecVersion, SpecVersionSummary } from '../../../../schemas/pse/versions.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { NoVersion, GenerationInProgress, ProjectUnknown, SessionArchived } from '../errors.js'
import { pinStandards } from '../standards/resolve-standards.js'

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

/** @throws not_found for a session that does not exist or is not the workspace's */
export const readSession = async (db: Db, workspaceId: string, id: string): Promise<SessionRow> => {
  const row = await findSession(db, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

/** Locks the session until the transaction ends. @throws not_found */
export const holdSession = async (trx: Db, workspaceId: string, id: string): Promise<SessionRow> => {
  const row = await lockSession(trx, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

export const requireUnarchived = ({ state }: SessionRow): void => {
  if (state === 'archived') throw SessionArchived()
}

const requireProject = async (db: Db, workspaceId: string, id: string | null | undefined): Promise<void> => {
  if (!id) return
  const project = await findProject(db, workspaceId, id)
  if (project?.archived_at === null) return
  const message = project ? 'is archived' : 'is no project of this workspace'
  throw ProjectUnknown(`/project_id ${message}`, { errors: [{ pointer: '/project_id', code: 'unknown', message }] })
}

export type SessionInput = Omit<UpdateSpecSession, 'options'> & { title: string, options?: Partial<SpecOptions> }

/** @throws project_unknown, standard_unknown */
export const createSession = async (db: Db, { workspace_id, user_id }: Principal, input: SessionInput):
Promise<string> => {
  await requireProject(db, workspace_id, input.project_id)
  await pinStandards(db, workspace_id, input.standards ?? [])
  const options = { ...sessionDefaults.options, ...input.options }
  return insertSession(db, workspace_id, user_id, { ...sessionDefaults, ...input, options })
}

/** Settings whose change makes the current version stale. */
const material = ['spec_type', 'profile', 'notation', 'locale', 'artifacts', 'standards', 'options'] as const

const changeOf = (row: SessionRow, input: UpdateSpecSession): SessionChange => {
  const { artifacts, standards, options, ...rest } = input
  const touches = material.some((name) => input[name] !== undefined)
  return {
    ...rest,
    ...(artifacts && { artifacts: JSON.stringify(artifacts) }),
    ...(standards && { standards: JSON.stringify(standards) }),
    ...(options && { options: JSON.stringify({ ...row.options, ...options }) }),
    ...(touches && row.current_version !== null && { stale: true })
  }
}

/** @throws stale_revision with the current session */
export const requireRevision = async (trx: Db, row: SessionRow, revisions: number[] | undefined): Promise<void> => {
  if (revisions && !revisions.includes(row.revision)) throw explainMiss(await describeSession(trx, row))
}

/** @throws not_found, session_archived, project_unknown, standard_unknown, stale_revision */
export const changeSession = (db: Db, workspaceId: string, id: string, input: UpdateSpecSession,
  revisions?: number[]): Promise<void> => db.transaction().execute(async (trx) => {
  const row = await holdSession(trx, workspaceId, id)
  await requireRevision(trx, row, revisions)
  requireUnarchived(row)
  await requireProject(trx, workspaceId, input.project_id)
  await pinStandards(trx, workspaceId, input.standards ?? [])
  await updateSession(trx, workspaceId, id, changeOf(row, input))
})

/** @throws generation_in_progress */
export const requireNotGenerating = ({ active_generation_id: id }: SessionRow): void => {
  if (id !== null) throw GenerationInProgress(undefined, { generation_id: id })
}

/**
 * Hides a session; undelete restores it within 30 days.
 * @throws not_found, not_owner, stale_revision, generation_in_progress
 */
export const removeSession = (db: Db, principal: Principal, id: string, revisions?: number[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await holdSession(trx, principal.workspace_id, id)
    await requireRevision(trx, row, revisions)
    requireOwner(principal, row)
    requireNotGenerating(row)
    await updateSession(trx, principal.workspace_id, id, { deleted_at: new Date() })
  })

/** @throws not_found, not_owner */
export const bringBackSession = (db: Db, principal: Principal, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await lockDeletedSession(trx, principal.workspace_id, id)
    if (!row) throw NotFound()
    requireOwner(principal, row)
    await updateSession(trx, principal.workspace_id, id, { deleted_at: null })
  })

export const describeVersionSummary = (row: VersionSummaryRow): SpecVersionSummary => {
  const { standards: _, ...summary } = row
  return summary
}

export const describeVersion = (row: VersionRow): SpecVersion => {
  const { standards: _, engine: __, requirements: ___, open_questions: ____, ...rest } = row
  return rest
}

/** @returns the version, by default the current one @throws not_found, no_version */
export const readVersion = async (db: Db, workspaceId: string, sessionId: string, version?: number):
Promise<VersionRow> => {
  const session = await readSession(db, workspaceId, sessionId)
  const requested = version ?? session.current_version
  if (requested === null) throw NoVersion()
  const row = await findVersion(db, workspaceId, sessionId, requested)
  if (!row) throw NotFound()
  return row
}
