import type { CheckReport, SpecDocument, NotTaken } from 'steward-spec-engine/schemas'
import type { NotTakenPart } from 'steward-spec-engine/operations'
import type { Db } from '../../../../db/index.js'
import type { PinnedStandard } from '../../../../db/pse/tables.js'
import type { VersionRow } from '../../../../db/pse/versions.js'
import type { SpecReview } from '../../../../schemas/pse/versions.js'
import { runInProcess } from '../process/run-in-process.js'
import { readSources } from '../read-material.js'
import { resolveStandards } from '../standards/resolve-standards.js'

type Version = Pick<VersionRow, 'session_id' | 'inputs_seq' | 'document'>

/** Reads the inputs of a version again: they never change, and give the same list each time. */
export const readNotTaken = async (db: Db, workspaceId: string, version: Version, part: NotTakenPart):
Promise<NotTaken[]> => {
  const { session_id: sessionId, inputs_seq: upTo, document } = version
  const inputs = await readSources(db, workspaceId, sessionId, upTo)
  return runInProcess('notTaken', inputs, document, part)
}

export interface ToCheck {
  workspace_id: string
  session_id: string
  document: SpecDocument
  inputs_seq: number
  standards: PinnedStandard[]
  /** Review questions that a person has answered for this version. */
  reviews?: readonly SpecReview[]
  /** The version before: its requirements must not be lost. */
  base?: SpecDocument | undefined
}

/** Checks a document against the inputs that it saw and the current waivers. */
export const checkSpec = async (db: Db, task: ToCheck): Promise<CheckReport> => {
  const { workspace_id: workspaceId, session_id: sessionId, document, base } = task
  const inputs = await readSources(db, workspaceId, sessionId, task.inputs_seq)
  const standards = await resolveStandards(db, workspaceId, task.standards)
  const reviewed = new Set(task.reviews?.map(({ rule_id: rule }) => rule))
  return runInProcess('check', { document, inputs, standards, base, reviewed, now: new Date() })
}
