import type { ComputeType, EnvironmentVariableType } from '@aws-sdk/client-codebuild'

/** How the builds of a project end. */
export type Outcome = 'succeeds' | 'fails' | 'endless'

export interface ProjectState {
  name: string
  /** At the code host. */
  repository: string
  computeType: ComputeType
  outcome: Outcome
  createdAt: number
  builds: BuildState[]
}

export interface BuildState {
  id: string
  number: number
  sourceVersion: string
  variables: { name: string, value: string, type: EnvironmentVariableType }[]
  token: string | undefined
  /** What the token was sent with. */
  asked: string
  outcome: Outcome
  at: number
  stoppedAt: number | undefined
}
