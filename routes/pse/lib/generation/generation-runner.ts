import type { GenerationRow } from '../../../../db/pse/generations.js'
import { generationLeases } from '../../../../db/pse/progress.js'
import { Runner } from '../../../../lib/durable/runner.js'
import type { Deps } from '../deps.js'
import { GenerationState } from './generation-state.js'
import { failGeneration, runGeneration } from './run-generation.js'

const atOnce = 4

export type GenerationRunner = Runner<GenerationRow, GenerationState>

/** Runs generations under leases: new ones, and those whose process was lost. */
export const makeGenerationRunner = (deps: Deps): GenerationRunner => new Runner({
  name: 'generations',
  atOnce,
  maxLost: deps.config.limits.crash_attempts,
  leases: generationLeases,
  hold: (row) => new GenerationState(deps, row),
  run: (state) => runGeneration(deps, state),
  fail: (state, error) => failGeneration(deps, state, error)
}, { db: deps.db, database: deps.database, limits: deps.config.limits, log: deps.log })
