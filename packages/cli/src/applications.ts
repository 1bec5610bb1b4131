import { allOf, body, itemsOf, type Schemas } from 'steward-client'
import type { Context } from './command.js'
import { UsageError } from './exits.js'
import { oneLine } from './text.js'

type App = Schemas['App']
type Build = Schemas['Build']

export const listApps = ({ connection }: Context): Promise<App[]> => {
  const load = (cursor: string | undefined) => body(connection.steward.api.GET('/deployments/apps', {
    params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  return allOf(itemsOf(load))
}

/** @returns the application of this name or id. @throws UsageError when there is none, or more than one */
export const findApp = async (context: Context, name: string): Promise<App> => {
  const all = await listApps(context)
  const found = all.filter((app) => app.id === name || app.name === name)
  if (found.length === 1 && found[0]) return found[0]
  const names = all.map((app) => oneLine(app.name)).join(', ') || 'none yet'
  throw new UsageError(found.length === 0
    ? `There is no application ${JSON.stringify(name)}; there is ${names}`
    : `${found.length} applications have this name: give an id, ${found.map(({ id }) => id).join(' or ')}`)
}

/** @returns the builds that are kept, the newest first */
export const listBuilds = ({ connection }: Context, { id }: App): Promise<Build[]> => {
  const load = (cursor: string | undefined) => body(connection.steward.api.GET('/deployments/apps/{app_id}/builds', {
    params: { path: { app_id: id }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  return allOf(itemsOf(load))
}

/** @returns such as `Build 3 of shop in production` */
export const describeBuild = ({ number, ref }: Build, { name, environment }: App): string =>
  `Build ${number} of ${oneLine(name)}${environment === null ? '' : ` in ${oneLine(environment)}`}, ${oneLine(ref)}`
