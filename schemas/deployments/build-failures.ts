import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from '../common.js'

/** The job with which the area of deployments reports a build that failed. */
export const buildFailedJob = 'agent.build-failed'

export const BuildFailure = Type.Object({
  workspace_id: Type.String(),
  app_id: Type.String(),
  build_id: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  status_reason: Nullable(Type.String()),
  branch: Type.String(),
  commit: Nullable(Type.String())
})
export type BuildFailure = Static<typeof BuildFailure>
