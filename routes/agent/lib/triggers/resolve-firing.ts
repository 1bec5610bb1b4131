import type { FastifyInstance } from 'fastify'
import { findFiring, listProposals, resolveAlerts, type Ending } from '../../../../db/agent/firings.js'
import { noteResolved } from '../../../../db/agent/start-firing.js'
import type { TriggerRow } from '../../../../db/agent/triggers.js'
import type { Deps } from '../run/run-state.js'

type ResolveDeps = Deps & Pick<FastifyInstance, 'engine'>

/** Adds to the session that the alert is resolved, unless a run of it lives: then that run's end adds it. */
export const noteIfResolved = async (deps: Pick<Deps, 'db'>, workspaceId: string, firingId: string): Promise<void> => {
  const firing = await findFiring(deps.db, workspaceId, firingId)
  if (!firing?.resolved_at || firing.noted_at !== null) return
  const at = firing.resolved_at.toISOString()
  // As of each message, the first block is of ours.
  const note = {
    context: `<context>\nTime: ${at.slice(0, 16)}Z\nNo person wrote this: it is a note of the platform.\n</context>`,
    text: `What set this off was resolved at ${at}. Proposals that waited have lapsed.`
  }
  await noteResolved(deps.db, { workspace_id: workspaceId, id: firingId }, note)
}

/** Closes the approvals that still wait; what a person has approved before goes on. */
const lapse = async (deps: ResolveDeps, { workspace_id, user_id }: TriggerRow, firingId: string): Promise<void> => {
  for (const { run_id } of await listProposals(deps.db, workspace_id, firingId)) {
    await deps.engine.requestCancel(workspace_id, user_id, run_id, 'alert_resolved')
  }
}

/**
 * Alerts are over: what waits for them lapses, and their sessions get a note.
 * @returns the firings of which all alerts are resolved now
 */
export const resolve = async (deps: ResolveDeps, trigger: TriggerRow, endings: readonly Ending[]):
Promise<string[]> => {
  const { workspace_id, id } = trigger
  const ids = await resolveAlerts(deps.db, { workspace_id, trigger_id: id, endings })
  for (const firingId of ids) {
    await lapse(deps, trigger, firingId)
    await noteIfResolved(deps, workspace_id, firingId)
  }
  return ids
}
