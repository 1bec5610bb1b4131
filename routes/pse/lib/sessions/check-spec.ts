import type { PinnedStandard } from '../../../../db/pse/tables.js'
import type { Db } from '../../../../db/index.js'
import type { CheckReport, SpecDocument } from 'steward-spec-engine/schemas'
import type { SpecReview } from '../../../../schemas/pse/versions.js'
import { readSources } from '../read-material.js'
import { resolveStandards } from '../standards/resolve-standards.js'
import { runInProcess } from '../process/run-in-process.js'

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
