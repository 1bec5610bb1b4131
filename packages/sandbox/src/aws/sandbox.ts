import type { ControlOptions } from '../control-path.js'
import { Clock } from './core/clock.js'
import { Ids } from './core/ids.js'
import type { World } from './core/world.js'
import { seed } from './seed/index.js'
import { Faults } from './server/faults.js'
import { Journal } from './server/journal.js'

export interface SandboxOptions extends ControlOptions {
  /** True stops the clock until the control path moves it. */
  frozen?: boolean
  /** The first time of the clock, in milliseconds since 1970; now when absent. */
  startAt?: number
  /** The duration of the slow function in milliseconds of real time; 3000 when absent. */
  slowFunctionMs?: number
  /** Fastify's logger; off when absent. */
  logger?: boolean
}

export interface Sandbox {
  options: SandboxOptions
  world: World
  journal: Journal
  faults: Faults
}

/** A sandbox in its first state. */
export function createSandbox (options: SandboxOptions): Sandbox {
  return { options, world: createWorld(options), journal: new Journal(), faults: new Faults() }
}

/** Resets the sandbox to its first state. */
export function resetSandbox (sandbox: Sandbox): void {
  sandbox.world = createWorld(sandbox.options)
  sandbox.journal.clear()
  sandbox.faults.clear()
}

function createWorld (options: SandboxOptions): World {
  const world: World = {
    clock: new Clock(options),
    ids: new Ids(),
    accounts: new Map(),
    credentials: new Map(),
    roles: new Map(),
    denials: [],
    missingImages: new Set(),
    movedTags: new Map(),
    tagsOfDigests: new Map(),
    cachePrefixes: [],
    slowFunctionMs: options.slowFunctionMs ?? 3000
  }
  seed(world)
  return world
}
