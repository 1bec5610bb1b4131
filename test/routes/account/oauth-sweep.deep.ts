import { sql } from 'kysely'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import {
  authorizationOf, connect, listTools, refresh, refusalOf, register, startOauth, visitorOf
} from '../../oauth.js'
import { fromRecord } from '../../recorded.js'

const { app, url, server } = await startOauth(t, { WORKER: 'false' })
const { id: ada, visitor } = await visitorOf(app, url, 'Ada', 'approver')

const sweep = async () => {
  await app.jobs.enqueue(app.db, 'account.sweep-deleted', {})
  await app.jobs.drain()
}

/** @returns the connection that was made last */
const newest = async (): Promise<string> =>
  (await app.db.selectFrom('account_assistant').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id

const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`

const statesOf = async () =>
  (await app.db.selectFrom('account_oauth_state').select(['model', 'expires_at']).execute())

t.test('what lies between two requests is deleted when it has expired, and nothing that still holds', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const waiting = await visitor.ask((await authorizationOf(server, client)).url)
  const before = await statesOf()
  t.ok(['AuthorizationCode', 'Interaction', 'RefreshToken', 'Session'].every((model) =>
    before.some((state) => state.model === model)), before.map(({ model }) => model).join())
  const past = await app.db.updateTable('account_oauth_state').set({ expires_at: daysAgo(1) })
    .where('model', 'in', ['AuthorizationCode', 'Session']).returning('hash').execute()
  t.ok(past.length >= 2)
  await sweep()
  const after = await statesOf()
  t.equal(after.length, before.length - past.length)
  t.same(after.filter(({ expires_at: at }) => at < new Date()), [])
  t.equal((await visitor.json('GET', `/oauth/consents/${waiting}/request`)).status, 200, 'a consent under way goes on')
  const next = await refresh(server, client, String(tokens.refresh_token))
  t.equal((await listTools(url, next.access_token)).status, 200, 'and a refresh token works')
})

t.test('a connection is forgotten with its token a week after its last day; tokens of people are not', async (t) => {
  const token = await app.inject({
    method: 'POST',
    url: '/account/tokens',
    headers: asAdmin,
    payload: { name: 'own', scopes: ['account:read'], expires_in_days: 1 }
  })
  const made: Record<string, { id: string, access: string }> = {}
  for (const [name, until] of [['old', 8], ['ended', 6], ['live', -60]] as const) {
    const { tokens } = await connect({ server }, visitor)
    const id = await newest()
    made[name] = { id, access: tokens.access_token }
    await app.db.updateTable('account_assistant').set({ until: daysAgo(until) }).where('id', '=', id).execute()
  }
  await sweep()
  const ids = async (table: 'account_assistant' | 'account_token') =>
    (await app.db.selectFrom(table).select('id').execute()).map(({ id }) => id)
  for (const table of ['account_assistant', 'account_token'] as const) {
    const kept = await ids(table)
    t.same(['old', 'ended', 'live'].map((name) => kept.includes(made[name]?.id ?? '')), [false, true, true], table)
  }
  t.ok((await ids('account_token')).includes(token.json().token.id))
  t.equal((await listTools(url, made.old?.access ?? '')).status, 401)
  t.equal((await listTools(url, made.live?.access ?? '')).status, 200)
})

t.test('a program is forgotten a day after it registered and nobody let it in, or unused for a hundred', async (t) => {
  const age = (id: string, values: object) =>
    app.db.updateTable('account_oauth_client').set(values).where('id', '=', id).execute()
  const names = ['unused', 'new', 'left', 'kept'] as const
  const clients = await Promise.all(names.map(async (name) => register(server, { client_name: name })))
  const [unused, , left, kept] = clients.map(({ client_id: id }) => id)
  await age(unused ?? '', { created_at: daysAgo(2) })
  await age(left ?? '', { created_at: daysAgo(200), used_at: daysAgo(101) })
  await age(kept ?? '', { created_at: daysAgo(200), used_at: daysAgo(99) })
  await sweep()
  const asks = await Promise.all(clients.map(async (client) =>
    (await visitor.visit((await authorizationOf(server, client)).url)).status))
  t.same(asks, [400, 303, 400, 303])
  t.match((await visitor.visit((await authorizationOf(server, { client_id: unused ?? '' })).url)).text, /invalid_client/)
})

interface Entry { operation: string, target: string | null, via: string, outcome: string, status: number | null }

const recorded = async (target: string): Promise<Entry[]> => fromRecord(app)
  .select(['operation', 'target', 'via', 'outcome', 'status', 'user_id']).where('target', '=', target)
  .orderBy('id').execute()

/** The library reports an end beside its answer. */
const whenRecorded = async (target: string): Promise<Entry[]> => {
  for (;;) {
    const entries = await recorded(target)
    if (entries.length > 1) return entries
    await new Promise((resolve) => { setImmediate(resolve) })
  }
}

const consented = (target: string) =>
  ({ operation: 'decideAuthorization', target, via: 'browser', outcome: 'succeeded', status: 200, user_id: ada })

t.test('a refresh token that comes twice ends the connection, and the record says so once', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const id = await newest()
  const next = await refresh(server, client, String(tokens.refresh_token))
  t.same(await recorded(id), [consented(id)], 'a refresh is no change')
  // For half a minute a repeated refresh has the same answer: one that was lost is asked for again.
  await app.db.updateTable('account_oauth_state').set({ consumed_at: sql<Date>`now() - interval '31 seconds'` })
    .where('consumed_at', 'is not', null).where('model', '=', 'RefreshToken').execute()
  for (const token of [tokens.refresh_token, tokens.refresh_token, next.refresh_token]) {
    t.equal(await refusalOf(refresh(server, client, String(token))), 'invalid_grant')
  }
  t.equal((await listTools(url, next.access_token)).status, 401)
  t.same(await whenRecorded(id), [consented(id),
    { operation: 'endReusedTokens', target: id, via: 'token', outcome: 'succeeded', status: 400, user_id: ada }])
  const { body: { items } } = await visitor.json('GET', '/account/assistants')
  t.notOk((items as { id: string }[]).some((one) => one.id === id), 'nobody sees it as connected')
})

t.test('a connection that its program ended is recorded as that', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const id = await newest()
  const answer = await fetch(`${url}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.client_id, token: String(tokens.refresh_token) })
  })
  t.equal(answer.status, 200)
  t.same(await whenRecorded(id), [consented(id),
    { operation: 'revokeAssistantToken', target: id, via: 'token', outcome: 'succeeded', status: 200, user_id: ada }])
})
