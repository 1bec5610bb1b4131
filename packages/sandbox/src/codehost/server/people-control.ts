import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SANDBOX_CLIENT_ID } from '../constants.js'
import { setCollaborator, setTeamMember } from '../actions/repositories.js'
import { accountNamed, type Account } from '../core/world.js'
import { settle } from '../hooks/deliver.js'
import type { Sandbox } from '../sandbox.js'
import { named, stage, Unknown } from './control-stage.js'

const closed = { additionalProperties: false }
const nullable = <T extends string>(...values: T[]) =>
  Type.Union([...values.map((value) => Type.Literal(value)), Type.Null()])

const Access = Type.Object({
  repository: Type.String(), login: Type.String(), permission: nullable('read', 'write', 'admin')
}, closed)
const Team = Type.Object({
  org: Type.String({ default: 'larkspur' }), team: Type.String(), login: Type.String(), member: Type.Boolean()
}, closed)
const Member = Type.Object({
  org: Type.String({ default: 'larkspur' }), login: Type.String(), role: nullable('admin', 'member')
}, closed)
const Replaced = Type.Object({ org: Type.String({ default: 'larkspur' }) }, closed)
const NewOrganisation = Type.Object({ login: Type.String() }, closed)
const NewUser = Type.Object({
  id: Type.Optional(Type.Integer()),
  login: Type.String(),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String())
}, closed)
const Rename = Type.Object({ login: Type.String(), to: Type.String() }, closed)
const NewToken = Type.Object({
  login: Type.String(),
  scopes: Type.Array(Type.String(), { default: [] }),
  expires_in: Type.Optional(Type.Integer({ minimum: 1 }))
}, closed)

const person = ({ world }: Sandbox, login: string): Account => {
  const account = accountNamed(world, login)
  if (!account) throw new Unknown(`No account ${login}`)
  return account
}

/** The people, and their permissions. */
export const peopleControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.register(tokenControl, { sandbox })
  app.register(accountControl, { sandbox })
  app.register(organisationControl, { sandbox })

  app.put('/access', { schema: { body: Access } }, async (request) => {
    const { repository, login, permission } = request.body
    setCollaborator(stage(sandbox, request), named(sandbox, repository), person(sandbox, login).id, permission)
    await settle(sandbox)
    return { ok: true }
  })

  app.put('/teams', { schema: { body: Team } }, async (request) => {
    const { org, team, login, member } = request.body
    setTeamMember(stage(sandbox, request), person(sandbox, org).id, team, person(sandbox, login).id, member)
    await settle(sandbox)
    return { ok: true }
  })

  app.put('/members', { schema: { body: Member } }, async ({ body: { org, login, role } }) => {
    const { id } = person(sandbox, login)
    const found = sandbox.world.orgs.get(person(sandbox, org).id)
    if (role) found?.members.set(id, role)
    else found?.members.delete(id)
    for (const team of role ? [] : found?.teams ?? []) team.members.delete(id)
    return { ok: true }
  })
}

const organisationControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/organisations', { schema: { body: NewOrganisation } }, async ({ body: { login } }) => {
    const { world } = sandbox
    const id = world.nextId()
    const account: Account = {
      id, login, type: 'Organization', name: login, email: null, created_at: world.clock.iso()
    }
    world.accounts.set(id, account)
    world.orgs.set(id, { account, members: new Map(), teams: [] })
    return { id }
  })

  /** The organization is deleted, and a stranger takes its name: members and roles are the stranger's. */
  app.post('/organisations/replace', { schema: { body: Replaced } }, async ({ body: { org } }) => {
    const { world } = sandbox
    const account = person(sandbox, org)
    const found = world.orgs.get(account.id)
    if (!found) throw new Unknown(`${org} is no organization`)
    const taken = { ...account, id: world.nextId() }
    world.accounts.delete(account.id)
    world.orgs.delete(account.id)
    world.accounts.set(taken.id, taken)
    world.orgs.set(taken.id, { ...found, account: taken })
    return { id: taken.id }
  })
}

const accountControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/users', { schema: { body: NewUser } }, async ({ body: { id, login, name, email } }) => {
    const account: Account = {
      id: id ?? sandbox.world.nextId(),
      login,
      type: 'User',
      name: name ?? login,
      email: email ?? null,
      created_at: sandbox.world.clock.iso()
    }
    sandbox.world.accounts.set(account.id, account)
    return account
  })

  app.patch('/users', { schema: { body: Rename } }, async ({ body: { login, to } }) =>
    Object.assign(person(sandbox, login), { login: to }))
}

const tokenControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.post('/tokens', { schema: { body: NewToken } }, async ({ body: { login, scopes, expires_in } }) => {
    const token = {
      token: `gho_${sandbox.random(36)}`,
      user_id: person(sandbox, login).id,
      scopes,
      client_id: SANDBOX_CLIENT_ID,
      expires_at: expires_in === undefined ? null : sandbox.world.clock.now() + expires_in * 1000,
      refresh: null,
      refresh_expires_at: null
    }
    sandbox.tokens.set(token.token, token)
    return token
  })

  /** The number of valid tokens of each person. */
  app.get('/tokens', async () => {
    const counts: Record<string, number> = {}
    for (const { user_id } of sandbox.tokens.values()) {
      const login = sandbox.world.accounts.get(user_id)?.login ?? '?'
      counts[login] = (counts[login] ?? 0) + 1
    }
    return { counts }
  })

  /** Revokes every token of a person, as when they revoke the application. */
  app.delete('/tokens', { schema: { body: Type.Object({ login: Type.String() }, closed) } }, async ({ body }) => {
    const { id } = person(sandbox, body.login)
    for (const [text, token] of sandbox.tokens) if (token.user_id === id) sandbox.tokens.delete(text)
    return { ok: true }
  })
}
