import { regionOf, type Account, type World } from '../core/world.js'
import type { ProjectState } from '../codebuild/state.js'
import { DAY } from './services.js'

/** Projects of CodeBuild: one that builds the shop front, one that fails, one that never ends. */
export function seedProjects (world: World, main: Account): void {
  const { codebuild } = regionOf(main, 'eu-west-1')
  const createdAt = world.clock.now() - 120 * DAY
  const of = (name: string, repository: string, outcome: ProjectState['outcome']) =>
    codebuild.set(name, { name, repository, computeType: 'BUILD_GENERAL1_SMALL', outcome, createdAt, builds: [] })
  of('web-image', 'larkspur/web', 'succeeds')
  of('web-image-broken', 'larkspur/web', 'fails')
  of('web-image-stuck', 'larkspur/web', 'endless')
}
