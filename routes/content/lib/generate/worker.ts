import { claimGeneration, listClaimable, listHeld, renewLeases } from '../../../../db/content/generation-leases.js'
import { LeasedWork } from '../../../../plugins/leased-work.js'
import type { Deps } from './deps.js'
import { Cancelled, GenerationState } from './state.js'

const atOnce = 4

export interface GenerationKey { workspace_id: string, id: string }

type Row = Awaited<ReturnType<typeof listHeld>>[number]
export type GenerationWorker = LeasedWork<GenerationKey, GenerationState, Row>

/** Carries out generations under leases: those asked for here, and those that others left. */
export const makeGenerationWorker = (deps: Deps): GenerationWorker => new LeasedWork({
  name: 'generations of content',
  atOnce,
  claim: async ({ workspace_id, id }, owner, leaseMs) => {
    const row = await claimGeneration(deps.db, workspace_id, id, owner, leaseMs)
    return row && new GenerationState(deps, row)
  },
  // The rules that it writes by load when there is something to write.
  run: async (state) => (await import('./run.js')).runGeneration(deps, state),
  listClaimable: (limit) => listClaimable(deps.db, limit),
  listHeld: (owner) => listHeld(deps.db, owner),
  renew: (owner, ids, leaseMs) => renewLeases(deps.db, owner, ids, leaseMs),
  notice: (state, { cancel_requested_at: asked }) => {
    if (asked !== null) state.abort.abort(new Cancelled())
  }
}, { leaseMs: deps.config.limits.lease_ms, log: deps.log })
