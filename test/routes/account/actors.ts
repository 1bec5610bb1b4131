import { v7 as uuid } from 'uuid'
import { insertToken } from '../../../db/account/tokens.js'
import { insertUser } from '../../../db/account/users.js'
import { freshToken } from '../../../lib/security/tokens.js'
import { allScopes } from '../../../schemas/account/scopes.js'
import type { App } from '../../app.js'
import { asAdmin } from '../../app.js'

type Role = 'viewer' | 'member' | 'admin'

export const origin = 'http://localhost:80'

/** Signs in with a one-time link as the page does. */
export const signIn = async (app: App, url: string) => {
  const token = new URL(url).hash.replace('#token=', '')
  const answer = await app.inject({ method: 'POST', url: '/account/sign-in', payload: { token } })
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

export const makeToken = async (app: App, headers: Record<string, string>, scopes: string[], more: object = {}) => {
  const payload = { name: 'test', scopes, expires_in_days: 1, ...more }
  const made = await app.inject({ method: 'POST', url: '/account/tokens', headers, payload })
  const { token, secret } = made.json()
  return { id: token.id as string, secret: secret as string, headers: { authorization: `Bearer ${secret}` } }
}

/** The admin of another workspace, who may do everything there. */
export const makeStranger = async (app: App) => {
  const workspace_id = uuid()
  await app.db.insertInto('workspace').values({ id: workspace_id, name: 'Elsewhere' }).execute()
  const user = await insertUser(app.db, workspace_id, { name: 'Mallory', role: 'admin' })
  const { text, hash, prefix } = freshToken('pat')
  await insertToken(app.db, {
    workspace_id,
    user_id: user.id,
    name: 'all',
    hash,
    prefix,
    scopes: allScopes,
    assistant: false,
    expires_at: new Date(Date.now() + 86_400_000)
  })
  return { authorization: `Bearer ${text}` }
}

/** A problem without what differs from request to request. */
export const problemOf = (answer: { json: () => Record<string, unknown> }) => {
  const { request_id: _, ...problem } = answer.json()
  return problem
}
