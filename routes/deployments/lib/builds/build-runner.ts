import { pruneBuilds, type BuildRow } from '../../../../db/deployments/builds.js'
import { buildLeases, type AppKey, type SeenBuild } from '../../../../db/deployments/leases.js'
import { Runner } from '../../../../lib/durable/runner.js'
import { BuildState } from './build-state.js'
import type { Deps } from '../errors.js'
import { failBuild, runBuild } from './run-build.js'

/** Most of their time builds wait for what others do. */
const atOnce = 10
const keptBuilds = 50
const keptGood = 10

export type BuildRunner = Runner<BuildRow, BuildState, AppKey, SeenBuild>

/** Runs builds under leases: those started here, and those that other processes left. Its key is the app. */
export const makeBuildRunner = (deps: Deps): BuildRunner => {
  const runner: BuildRunner = new Runner({
    name: 'builds',
    atOnce,
    maxLost: deps.config.limits.crash_attempts,
    returnsAfterOutage: true,
    leases: buildLeases,
    hold: (row) => new BuildState(deps, row),
    run: (state) => runBuild(deps, state),
    fail: (state, error) => failBuild(deps, state, error),
    onRow: (state, row) => {
      if (row.status === 'cancelling') state.cancelBy(row.cancel_principal)
    },
    after: async ({ row: { workspace_id, app_id } }) => {
      await pruneBuilds(deps.db, workspace_id, app_id, keptBuilds, keptGood)
      await runner.claim({ workspace_id, app_id })
    }
  }, { db: deps.db, database: deps.database, limits: deps.config.limits, log: deps.log })
  return runner
}
