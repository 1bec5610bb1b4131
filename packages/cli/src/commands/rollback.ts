import type { Schemas } from 'steward-client'
import { describeBuild, findApp, listBuilds } from '../applications.js'
import type { Command } from '../command.js'
import { Ended, exits, UsageError } from '../exits.js'
import { buildAsProposed } from '../proposal.js'
import { oneLine, when } from '../text.js'
import { buildOptions } from './deploy.js'

type App = Schemas['App']
type Build = Schemas['Build']

/** @returns the build that is named by its number or id. @throws UsageError */
const named = (builds: readonly Build[], name: string): Build => {
  const found = builds.find(({ id, number }) => id === name || String(number) === name)
  if (found) return found
  throw new UsageError(`There is no build ${JSON.stringify(name)}: steward apps APP lists them`)
}

/** @returns the last build before the live one that succeeded. @throws Ended when there is none */
const before = (builds: readonly Build[], { name, live_build: live }: App): Build => {
  if (!live) throw new Ended(exits.failed, `No build of ${oneLine(name)} is live: name the one to go back to`)
  const found = builds.find(({ number, status, rollback_of: of }) =>
    number < live.number && status === 'succeeded' && of !== live.id)
  if (found) return found
  throw new Ended(exits.failed, `No build before build ${live.number} of ${oneLine(name)} has succeeded`)
}

export const rollback: Command = {
  words: ['APP', '[BUILD]'],
  summary: 'goes back to a build, by its number or id; else to the last one before the live one that succeeded',
  options: buildOptions,
  run: async (input) => {
    const { context, words: [name = '', chosen] } = input
    const app = await findApp(context, name)
    const builds = await listBuilds(context, app)
    const target = chosen === undefined ? before(builds, app) : named(builds, chosen)
    const commit = target.commit === null ? '' : ` at ${target.commit.slice(0, 12)}`
    context.terminal.note(`Goes back to: ${describeBuild(target, app)}${commit}, ${when(target.created_at)}`)
    return buildAsProposed(input, app, 'rollbackBuild', { app_id: app.id, build_id: target.id })
  }
}
