import { sql } from 'kysely'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { confirm, startChatApp } from '../chat.js'
import { askToScale, serviceId, timesScaled } from '../flows/asking.js'
import { makeStranger, makeToken, problemOf } from '../routes/account/actors.js'
import { makeTrigger } from '../routes/agent/triggers/world.js'
import { post as postEvent, standard } from '../routes/agent/triggers/senders.js'
import { draft } from '../routes/content/actors.js'
import { deliver } from '../routes/codehost/hooks.js'

/**
 * The doors that must not open, one try each, so that whoever opens one hears of it in the quick suite. What deep tries
 * at length stands beside it: plugins/auth, plugins/idempotency, triggers/events, codehost/webhook, infrastructure/expected,
 * consent, attacks/tenants.
 */
const steward = await startChatApp(t)
const { app } = steward
const web = await serviceId(app, 'web')
const get = (url: string, headers: Record<string, string>) => app.inject({ url, headers })
const send = (url: string, payload: object, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url, headers, payload })

t.test('a token that has expired or was revoked, and one that is for MCP alone elsewhere', async (t) => {
  const token = await makeToken(app, asAdmin, ['account:read'])
  const tried = async (change: object) => {
    await app.db.updateTable('account_token').set(change).where('id', '=', token.id).execute()
    const answer = await get('/account/me', token.headers)
    return [answer.statusCode, answer.json().code]
  }
  t.equal((await get('/account/me', token.headers)).statusCode, 200)
  t.same(await tried({ resource: 'mcp' }), [401, 'unauthenticated'])
  t.same(await tried({ resource: null, expires_at: sql`now()` }), [401, 'token_expired'])
  t.same(await tried({ expires_at: sql`now() + interval '1 day'`, revoked_at: sql`now()` }), [401, 'token_revoked'])
})

t.test('another body under the same Idempotency-Key', async (t) => {
  const make = (name: string) => send('/account/projects', { name }, { ...asAdmin, 'idempotency-key': 'door-1' })
  const [first, again, other] = [await make('Harbour'), await make('Harbour'), await make('Quay')]
  t.same([first.statusCode, again.json().id, other.statusCode, other.json().code],
    [201, first.json().id, 422, 'idempotency_mismatch'])
})

t.test('an alert and a push of the code host that nobody signed, or long ago', async (t) => {
  const { id, secret } = await makeTrigger(app, { kind: 'webhook', source: 'generic' })
  const key = secret ?? ''
  const body = JSON.stringify({ title: 'Disk is full', id: 'disk', status: 'firing' })
  const at = String(Math.floor(Date.now() / 1_000) - 301)
  t.match(await postEvent(app, id, body, standard(key, `${body} `)), { status: 401, is: 'event_unsigned' })
  t.match(await postEvent(app, id, body, standard(key, body, { at })), { status: 400, is: 'event_expired' })
  t.match(await postEvent(app, id, body, standard(key, body)), { status: 202, is: 'accepted' })
  const ping = { zen: 'Keep it logically awesome.', hook_id: 1 }
  t.match(problemOf(await deliver(app, 'ping', ping, { secret: 'another secret' })), { code: 'webhook_signature_invalid' })
  t.equal((await deliver(app, 'ping', ping)).statusCode, 202)
})

t.test('a write over MCP for whoever asked for reads alone', async (t) => {
  const scopes = ['agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write']
  const token = await makeToken(app, asAdmin, scopes, { assistant: true })
  const params = { name: 'scaleService', arguments: { service: web, desired_count: 6 } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { ...token.headers, accept: 'application/json, text/event-stream' }
  t.match((await send('/mcp?readonly=true', call, headers)).json(), { error: { code: -32602 } })
  t.match((await send('/mcp', call, headers)).json(), { result: { structuredContent: { status: 'awaiting_approval' } } })
})

t.test('a write on a state that was not shown, and an approval of a plan that was not', async (t) => {
  const before = (await get(`/infrastructure/containers/services/${encodeURIComponent(web)}`, asAdmin)).json()
  const scale = (expected: object) =>
    send(`/infrastructure/containers/services/${encodeURIComponent(web)}/scale`, { desired_count: 9, expected })
  t.match((await scale({ desired_count: before.desired_count + 1 })).json(), {
    code: 'state_changed', changed: [{ field: 'desired_count', found: before.desired_count }]
  })
  const { decision, first } = await askToScale(steward, [[web, 8]])
  const stale = await confirm(app, { ...decision, approved: true, input_digest: 'a'.repeat(64) })
  t.match([stale.statusCode, stale.json()], [409, { code: 'stale_preview' }])
  t.same([await timesScaled(steward, web, 9), await timesScaled(steward, web, 8)], [0, 0])
  const right = await confirm(app, { ...decision, approved: true, input_digest: first.input_digest })
  t.equal(right.statusCode, 200)
})

t.test('what another workspace has, for whoever may do everything in their own', async (t) => {
  const stranger = await makeStranger(app)
  const made = async (url: string, payload: object): Promise<string> => {
    const answer = await send(url, payload)
    t.equal(answer.statusCode, 201, answer.payload)
    const { id, session_id } = answer.json()
    return id ?? session_id
  }
  const project = await made('/account/projects', { name: 'Ours' })
  const paths = [
    `/account/projects/${project}`, `/content/${await made('/content', draft(project))}`,
    `/pse/sessions/${await made('/pse/sessions', { project_id: project, title: 'Ours' })}`
  ]
  for (const path of paths) {
    t.equal((await get(path, asAdmin)).statusCode, 200, path)
    t.equal((await get(path, stranger)).statusCode, 404, path)
  }
})
