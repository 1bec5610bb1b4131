import { randomBytes } from 'node:crypto'
import type { ControlOptions } from '../control-path.js'
import { Clock } from './core/clock.js'
import type { Token, World } from './core/world.js'
import { seedTokens, seedWorld } from './seed/index.js'
import { Faults } from './server/faults.js'
import { Journal } from './server/journal.js'
import { RateLimits } from './server/rate-limits.js'

export interface SandboxOptions extends ControlOptions {
  logger?: boolean
  /** Signs the webhooks of hooks that have no secret of their own; without it a random one. */
  webhookSecret?: string
}

/** An authorization code and its grant. */
export interface Code {
  user_id: number
  client_id: string
  redirect_uri: string
  scopes: string[]
  challenge: string | null
  expires_at: number
}

export interface Settings {
  /** Tokens issued from now on expire and come with a refresh token, as those of a GitHub App do. */
  expiring_tokens: boolean
  token_seconds: number
  /** false: no rate limit headers, as an Enterprise Server has by default. */
  rate_limits: boolean
  limit: number
  /** Whether a dispatch says which run it began; false: as an older Enterprise Server. */
  run_details: boolean
  /** Refuses an exchange without code_verifier even where no challenge was sent. */
  require_pkce: boolean
}

export interface Sandbox {
  world: World
  tokens: Map<string, Token>
  codes: Map<string, Code>
  faults: Faults
  journal: Journal
  limits: RateLimits
  settings: Settings
  webhookSecret: string
  /** Webhooks without a response yet. */
  underWay: Set<Promise<void>>
  /** Random text, as in the tokens that the code host issues. */
  random: (length: number) => string
}

const defaults: Settings = {
  expiring_tokens: false, token_seconds: 28_800, rate_limits: true, limit: 5000, run_details: true, require_pkce: false
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const random = (length: number): string =>
  [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** The state of a fresh sandbox, in memory only. */
export function createSandbox (webhookSecret = random(32)): Sandbox {
  const world = seedWorld(new Clock())
  return {
    world,
    tokens: seedTokens(world),
    codes: new Map(),
    faults: new Faults(),
    journal: new Journal(),
    limits: new RateLimits(),
    settings: { ...defaults },
    webhookSecret,
    underWay: new Set(),
    random
  }
}

/** Resets to the first state. */
export function resetSandbox (sandbox: Sandbox): void {
  Object.assign(sandbox, createSandbox(sandbox.webhookSecret))
}
