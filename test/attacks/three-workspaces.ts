import type { InjectOptions } from 'fastify'
import { SANDBOX_REGIONS } from 'steward-sandbox/aws'
import { allScopes } from '../../schemas/account/scopes.js'
import { asAdmin, type App } from '../app.js'
import { makeToken, makeWorkspace } from '../routes/account/actors.js'
import { fill } from './belongings.js'

type Headers = Record<string, string>
type IdOf = Awaited<ReturnType<typeof fill>>

/** A workspace with something of everything in it, and its admin. */
export interface World { name: string, app: App, headers: Headers, idOf: IdOf }

const meOf = async (app: App, headers: Headers) => (await app.inject({ url: '/account/me', headers })).json()

const isFirst = ({ headers }: InjectOptions) => headers?.authorization === asAdmin.authorization

/** @returns the app as another workspace's admin has it: what a helper does as the first one's is done there */
export const seenBy = async (app: App, headers: Headers): Promise<App> => {
  const { workspace, user } = await meOf(app, headers)
  const inject = (options: InjectOptions) => {
    const { authorization: _, ...others } = options.headers ?? {}
    return app.inject(isFirst(options) ? { ...options, headers: { ...others, ...headers } } : options)
  }
  return Object.create(app, {
    home: { value: { workspace_id: workspace.id, admin_id: user.id } }, inject: { value: inject }
  }) as App // It has all of the app, by its prototype.
}

const registerAccount = async (app: App): Promise<void> => {
  const payload = { name: 'Sandbox', regions: [...SANDBOX_REGIONS], auth: { type: 'ambient' } }
  const answer = await app.inject({ method: 'POST', url: '/cloud/accounts', headers: asAdmin, payload })
  if (answer.statusCode !== 201) throw new Error(answer.payload)
}

/** Makes two workspaces through the API beside the first, and fills all three. */
export const makeWorlds = async (app: App): Promise<World[]> => {
  const worlds: World[] = [{ name: 'first', app, headers: asAdmin, idOf: await fill(app) }]
  for (const name of ['second', 'third']) {
    const { headers: session } = await makeWorkspace(app, name)
    const { headers } = await makeToken(app, session, [...allScopes])
    const seen = await seenBy(app, session)
    await registerAccount(seen)
    worlds.push({ name, app: seen, headers, idOf: await fill(seen) })
  }
  return worlds
}
