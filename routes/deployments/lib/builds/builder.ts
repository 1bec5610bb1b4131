import { type AccountRow } from '../../../../lib/aws/accounts.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { AppBuilder, StoredRun } from '../../../../schemas/deployments/builders.js'
import { type Deps } from '../errors.js'
import { type StepContext } from './build-state.js'

/** What is built for an app, before anything has begun. */
export interface Asked<Setting> {
  setting: Setting
  principal: Principal
  account: AccountRow
  region: string
  repo: string
  ref: string
  commit: string | null
  /** As the template names it. */
  image: string
}

/** What a person sees before they approve. */
export interface Shown { runs: string, cost: string | null, notes: string[], digest: string | null }

/** The step of a build that makes its image. */
export interface Building<Setting> extends StepContext {
  setting: Setting
  account: AccountRow
  region: string
  image: string
}

export type Begun = Omit<StoredRun, 'read'> & { id: string }

/** The image is not there yet; or it is, by this digest. */
export type Look = { digest: string } | undefined

/** How images come to be. What it begins outside is known by the id of the build, so it is never begun twice. */
export interface Builder<Setting extends AppBuilder> {
  /** How long a build may take. */
  minutes: (setting: Setting) => number
  /** Says what would run and what it may cost; nothing is changed. @throws what makes a build impossible */
  plan: (deps: Deps, asked: Asked<Setting>) => Promise<Shown>
  /** Begins what builds; absent where somebody else does. Sent once. */
  start?: (building: Building<Setting>) => Promise<Begun>
  /** Looks for what `start` began, where its answer was lost. */
  find?: (building: Building<Setting>) => Promise<Begun | undefined>
  /** How long the same `start`, sent once more, is known there to be the same. */
  repeatableMs?: number
  /** Looks once, and passes on what the log has got since. @throws StepFailed, Superseded */
  look: (building: Building<Setting>) => Promise<Look>
  /** Asks what builds to stop. */
  cancel?: (building: Building<Setting>) => Promise<void>
  /** What a build that took too long says. */
  tooLate: (building: Building<Setting>) => string
}
