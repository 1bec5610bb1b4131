import type { Role } from '../../../schemas/account/users.js'
import { allScopes } from '../../../schemas/account/scopes.js'
import type { App } from '../../app.js'
import { asAdmin } from '../../app.js'

export const origin = 'http://localhost:80'

/** Signs in with a one-time link as the page does. */
export const signIn = async (app: App, url: string, host?: string) => {
  const token = new URL(url).hash.replace('#token=', '')
  const answer = await app.inject({
    method: 'POST', url: '/account/sign-in', payload: { token }, ...(host && { headers: { host } })
  })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { answer, cookie, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
}

/** A new user of the role with a browser session. */
export const makePerson = async (app: App, name: string, role: Role) => {
  const made = await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload: { name, role } })
  const { user, link } = made.json()
  const { headers } = await signIn(app, link.url)
  return { id: user.id as string, headers }
}

/** Gives a person, or a group, a role on a part of the workspace. @returns the binding's id */
export const bind = async (app: App, role: string, subject: object, scope: object): Promise<string> => {
  const payload = { role, subject, scope }
  const made = await app.inject({ method: 'POST', url: '/account/bindings', headers: asAdmin, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json().id
}

export const makeGroup = async (app: App, name: string, memberIds: string[]): Promise<string> => {
  const payload = { name, member_ids: memberIds }
  const made = await app.inject({ method: 'POST', url: '/account/groups', headers: asAdmin, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json().id
}

export const makeToken = async (app: App, headers: Record<string, string>, scopes: string[], more: object = {}) => {
  const payload = { name: 'test', scopes, expires_in_days: 1, ...more }
  const made = await app.inject({ method: 'POST', url: '/account/tokens', headers, payload })
  const { token, secret } = made.json()
  return { id: token.id as string, secret: secret as string, headers: { authorization: `Bearer ${secret}` } }
}

/** Another workspace, made as the installation's admin makes one, and its admin's browser session. */
export const makeWorkspace = async (app: App, name: string, hosts: string[] = []) => {
  const payload = { name, hosts, admin: { name: `Admin of ${name}` } }
  const made = await app.inject({ method: 'POST', url: '/account/workspaces', headers: asAdmin, payload })
  const { workspace, link } = made.json()
  const { headers, cookie } = await signIn(app, link.url, hosts[0])
  return { id: workspace.id as string, headers, cookie }
}

/** The admin of another workspace, who may do everything there by a token. */
export const makeStranger = async (app: App, name = 'Elsewhere') => {
  const { headers } = await makeWorkspace(app, name)
  return (await makeToken(app, headers, [...allScopes], { name: 'all' })).headers
}

/** A problem without what differs from request to request. */
export const problemOf = (answer: { json: () => Record<string, unknown> }) => {
  const { request_id: _, ...problem } = answer.json()
  return problem
}
