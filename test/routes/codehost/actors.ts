import { storeTokens } from '../../../db/codehost/grants.js'
import { insertIdentity } from '../../../db/codehost/identities.js'
import { SANDBOX_USERS, sandboxToken } from 'steward-sandbox/codehost'
import { makePerson } from '../account/actors.js'
import { asAdmin, type App } from '../../app.js'

type Headers = Record<string, string>

/** Connects a user to an account of the code host, as having signed in there does. */
export const connect = async (app: App, userId: string, account: Record<'account_id' | 'login' | 'token', string>) => {
  const { workspace_id } = app.home
  const { account_id, login, token } = account
  const id = await insertIdentity(app.db,
    { workspace_id, user_id: userId, host: app.codehostGrants.host, account_id, login, joined_by: 'link' })
  if (id === undefined) throw new Error(`${login} is connected already`)
  const access_token = app.secrets.encrypt(`codehost_identity|${id}|access_token`, token)
  await storeTokens(app.db, workspace_id, id, { access_token, refresh_token: null, scope: '', expires_in: null })
}

/** Another token of the person at the code host: nothing is held for it, and no limit has hit it. */
export const renewToken = async (app: App, login: string): Promise<string> => {
  const { token } = await steer(app).call('POST', '/tokens', { login })
  const { id } = await app.db.selectFrom('codehost_identity').select('id').where('login', '=', login)
    .executeTakeFirstOrThrow()
  const access_token = app.secrets.encrypt(`codehost_identity|${id}|access_token`, String(token))
  await storeTokens(app.db, app.home.workspace_id, id,
    { access_token, refresh_token: null, scope: '', expires_in: null })
  return String(token)
}

/** A new user of Steward who is this user of the sandbox at the code host. */
export const makeConnected = async (app: App, login: keyof typeof SANDBOX_USERS,
  role: 'viewer' | 'member' | 'admin' = 'member') => {
  const person = await makePerson(app, login, role)
  await connect(app, person.id, { account_id: String(SANDBOX_USERS[login]), login, token: sandboxToken(login) })
  return person
}

export interface Call {
  operation: string
  method: string
  path: string
  query: string
  login: string | null
  conditional: boolean
  body: unknown
  status: number | null
  fault: string | null
}

/** The control path of the code host's sandbox, at this URL. */
export const steerAt = (controlUrl: string) => {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${controlUrl}${path}`, {
      method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json() as Record<string, unknown>
  }
  const calls = async () => (await call('GET', '/calls')).calls as Call[]
  return {
    call,
    calls,
    reset: () => call('POST', '/reset'),
    fault: (fault: Record<string, unknown>) => call('POST', '/faults', fault),
    clear: () => call('DELETE', '/faults'),
    commit: async (input: Record<string, unknown>) => String((await call('POST', '/commits', input)).sha),
    /** @returns the calls of the code host during the work */
    during: async (work: () => Promise<unknown>): Promise<Call[]> => {
      await call('DELETE', '/calls')
      await work()
      return calls()
    }
  }
}

/** The control path of the code host's sandbox that the app started. */
export const steer = (app: App) => steerAt(String(app.sandbox.control.codehost))

/** Calls of the code host's area as a person. */
export const actor = (app: App, headers: Headers = asAdmin) => {
  const get = (path: string) => app.inject({ url: `/codehost${path}`, headers })
  return {
    get,
    json: async (path: string) => (await get(path)).json(),
    post: (path: string, payload: object, more: Headers = {}) =>
      app.inject({ method: 'POST', url: `/codehost${path}`, headers: { ...headers, ...more }, payload })
  }
}
