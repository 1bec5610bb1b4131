import { generationLeases } from '../../../db/pse/leases.js'
import { LeasedWork } from '../../../plugins/leased-work.js'
import type { Deps } from './deps.js'
import { Cancelled, GenerationState } from './generation-state.js'
import { runGeneration } from './run-generation.js'

const atOnce = 4

export interface GenerationKey { workspace_id: string, id: string }

type Row = Awaited<ReturnType<typeof generationLeases.listHeld>>[number]
export type GenerationWorker = LeasedWork<GenerationKey, GenerationState, Row>

/** Carries out generations under leases: those asked for here, and those that others left. */
export const makeGenerationWorker = (deps: Deps): GenerationWorker => new LeasedWork({
  name: 'generations',
  atOnce,
  claim: async ({ workspace_id, id }, owner, leaseMs) => {
    const row = await generationLeases.claim(deps.db, workspace_id, id, owner, leaseMs)
    return row && new GenerationState(deps, row)
  },
  run: (state) => runGeneration(deps, state),
  listClaimable: (limit) => generationLeases.listClaimable(deps.db, limit),
  listHeld: (owner) => generationLeases.listHeld(deps.db, owner),
  renew: (owner, ids, leaseMs) => generationLeases.renew(deps.db, owner, ids, leaseMs),
  notice: (state, { cancel_asked: asked }) => {
    if (asked) state.abort.abort(new Cancelled())
  }
}, { leaseMs: deps.config.limits.lease_ms, log: deps.log })
