import { findBuild } from '../../../../db/deployments/builds.js'
import type { TargetState } from '../../../../schemas/deployments/builds.js'
import type { StepContext } from './build-state.js'

/**
 * @returns on which state of the target the build was approved: behind a build that was shown as under way, on what that
 * one has left; undefined where it was approved on none
 */
export const expectedOf = async ({ deps, state: { row } }: StepContext): Promise<TargetState | undefined> => {
  const { expected, workspace_id, app_id } = row
  if (!expected) return undefined
  const before = expected.after_build === null
    ? undefined
    : await findBuild(deps.db, workspace_id, app_id, expected.after_build)
  return before?.status === 'succeeded' && before.verified ? before.verified : expected
}
