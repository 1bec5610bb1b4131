import { body, type Schemas } from '../../client/src/client.js'
import { allOf, itemsOf } from '../../client/src/pages.js'
import { Problem } from '../../client/src/problem.js'
import type { Context } from './decide.js'
import { Ended, exits, UsageError } from './exits.js'
import { oneLine } from './text.js'

type App = Schemas['App']
type Event = Schemas['BuildEvent']
type DeployApp = Schemas['DeployApp']

export interface DeployOptions extends Pick<DeployApp, 'ref' | 'commit' | 'image'> {
  detach: boolean
  json: boolean
}

/** @returns the application of this name or id. @throws UsageError when there is none, or more than one */
const findApp = async ({ connection }: Context, name: string): Promise<App> => {
  const { api } = connection.steward
  const load = (cursor: string | undefined) => body(api.GET('/deployments/apps', {
    params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  const all = await allOf(itemsOf(load))
  const found = all.filter((app) => app.id === name || app.name === name)
  if (found.length === 1 && found[0]) return found[0]
  const names = all.map((app) => oneLine(app.name)).join(', ') || 'none yet'
  throw new UsageError(found.length === 0
    ? `There is no application ${JSON.stringify(name)}; there is ${names}`
    : `${found.length} applications have this name: give an id, ${found.map(({ id }) => id).join(' or ')}`)
}

const show = ({ terminal }: Context, event: Event, json: boolean): void => {
  if (json) return terminal.json(event)
  if (event.type === 'log') return terminal.print(oneLine(event.text))
  if (event.type === 'step') {
    terminal.note(terminal.paint(`· ${event.step.name}: ${event.step.status}`, 'dim'))
  }
}

/** Follows a build to its end; Ctrl-C leaves it running. */
const followBuild = async (context: Context, build: Schemas['StartedBuild'], json: boolean): Promise<number> => {
  const { terminal, connection } = context
  const path = `/deployments/apps/${build.app_id}/builds/${build.id}`
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  const isLast = (event: Event) => event.type === 'end'
  const { signal } = controller
  try {
    for await (const { data } of connection.steward.follow<Event>(`${path}/logs`, { signal, isLast })) {
      show(context, data, json)
      if (data.type !== 'end') continue
      const reason = data.status_reason === null ? '' : `: ${oneLine(data.status_reason)}`
      terminal.note(`Build ${build.number} ${data.status}${reason}`)
      return data.status === 'succeeded' ? exits.done : exits.failed
    }
  } finally {
    process.off('SIGINT', stop)
  }
  const page = connection.page(`/apps/${build.app_id}/builds/${build.id}`)
  throw new Ended(exits.interrupted, `The build goes on: ${page}`)
}

/** Asks a person to deploy, where the credentials are an assistant's. */
const propose = async (context: Context, app: App, input: DeployApp, json: boolean): Promise<number> => {
  const { terminal, connection } = context
  const call = await body(connection.steward.api.POST('/api/v1/agent/tool-calls', {
    body: { name: 'deployApp', arguments: { app_id: app.id, ...input } }
  }))
  if (json) terminal.json(call)
  terminal.note('This sign-in is marked for an assistant: a person decides it in the browser.')
  if (call.confirmation) terminal.note(connection.page(`/inbox/${call.confirmation.id}`))
  return exits.waits
}

/** Deploys an application, and follows its build to the end. */
export const deploy = async (context: Context, name: string, { detach, json, ...given }: DeployOptions):
Promise<number> => {
  const { terminal, connection } = context
  const app = await findApp(context, name)
  const input: DeployApp = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const build = await body(connection.steward.api.POST('/deployments/apps/{app_id}/deploy', {
    params: { path: { app_id: app.id } }, body: input
  })).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'assistant_token') throw error
  })
  if (!build) return propose(context, app, input, json)
  const environment = app.environment === null ? '' : ` in ${oneLine(app.environment)}`
  terminal.note(`Build ${build.number} of ${oneLine(app.name)}${environment}, ${oneLine(build.ref)}`)
  if (!detach) return followBuild(context, build, json)
  if (json) terminal.json(build)
  else terminal.print(build.id)
  return exits.done
}
