import { generationLeases } from '../../../../db/content/generation-progress.js'
import type { GenerationRow } from '../../../../db/content/generations.js'
import { Runner } from '../../../../lib/durable/runner.js'
import { GenerationState, type Deps } from './generation-state.js'

/** The job's name; its data names the generation. */
export const generationJob = 'content.generate'

const atOnce = 4

export type GenerationRunner = Runner<GenerationRow, GenerationState>

/** Runs generations under leases: those requested here, and those that other processes released. */
export const makeGenerationRunner = (deps: Deps): GenerationRunner => new Runner({
  name: 'generations of content',
  atOnce,
  maxLost: deps.config.limits.crash_attempts,
  leases: generationLeases,
  hold: (row) => new GenerationState(deps, row),
  // The modules that write texts load with the first generation.
  run: async (state) => (await import('./run.js')).runGeneration(deps, state),
  fail: async (state, error) => (await import('./run.js')).failGeneration(state, error)
}, { db: deps.db, database: deps.database, limits: deps.config.limits, log: deps.log })
