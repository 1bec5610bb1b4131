import { sql } from 'kysely'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp } from '../chat.js'
import { allScopes } from '../../schemas/account/scopes.js'
import { bind, makeGroup, makePerson, makeToken } from '../routes/account/actors.js'
import { input, makeProject } from '../routes/content/actors.js'
import { accountOf, makeApp, registry } from '../routes/deployments/actors.js'

const steward = await startChatApp(t, { WORKER: 'false' })
const { app, anthropic } = steward
const account = await accountOf(app)
const service = `${account}~eu-west-1~prod~web`
const project = await makeProject(app, 'Bound')
const hidden = await makeProject(app, 'Hidden')

type Headers = Record<string, string>
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })

const onAccount = { kind: 'cloud_account', id: account }
const onProject = { kind: 'project', id: project }
const makeBound = async (name: string, role: string, scope: object) => {
  const person = await makePerson(app, name, 'none')
  return { ...person, binding: await bind(app, role, { kind: 'user', id: person.id }, scope) }
}

const use = (name: string, input: object) => ({ content: [{ type: 'tool_use' as const, name, input }] })
const say = { content: [{ type: 'text' as const, text: 'Done.' }] }
const scale = (count: number) => use('scaleService', { service, desired_count: count })
const ask = (turns: object[], headers: Headers) =>
  chat(app, { message: scripted(anthropic, turns as Parameters<typeof scripted>[1]) }, headers)
const resultOf = ({ frames }: Awaited<ReturnType<typeof chat>>) => framesOf(frames, 'tool_result')[0]?.data
const questionOf = ({ frames }: Awaited<ReturnType<typeof chat>>) => framesOf(frames, 'confirmation_required')[0]?.data
const offered = (request: unknown) =>
  ((request as { body: { tools?: { name?: string }[] } }).body.tools ?? []).map(({ name }) => name)
const countOf = async () =>
  (await send('GET', `/infrastructure/containers/services/${service}`, asAdmin)).json().desired_count
const decide = (asked: Awaited<ReturnType<typeof chat>>, headers: Headers) => {
  const { confirmation_id, input_digest } = questionOf(asked) ?? {}
  return confirm(app, { session_id: asked.session, confirmation_id, input_digest, approved: true }, headers)
}

t.test('a viewer chats, with reads only: writes are not offered, and a call of one is denied in words', async (t) => {
  const viewers = [await makePerson(app, 'Viewer', 'viewer'), await makeBound('Bound viewer', 'viewer', onAccount)]
  for (const { headers } of viewers) {
    const read = await ask([use('getService', { service }), say], headers)
    t.match(resultOf(read), { status: 'succeeded', result: { id: service } })
    const names = offered(anthropic.control.requests().at(-1))
    t.ok(names.includes('listClusters'))
    t.same(names.filter((name) => app.tools.writes().includes(String(name))), [])
    const write = await ask([scale(9), say], headers)
    t.match(resultOf(write), {
      status: 'failed',
      result: { code: 'insufficient_role', detail: /^The person may only read: a change needs the role operator/ }
    })
    t.notOk(questionOf(write))
    t.match((await send('POST', '/api/v1/agent/tool-calls', headers,
      { name: 'scaleService', arguments: { service, desired_count: 9 } })).json(), { code: 'insufficient_role' })
  }
})

t.test('an operator proposes, and decides what is of low risk alone', async (t) => {
  const { headers } = await makeBound('Operator', 'operator', onAccount)
  const before = await countOf()
  t.match((await send('POST', `/infrastructure/containers/services/${service}/scale`, headers,
    { desired_count: 8 })).json(), { code: 'insufficient_role', role: 'approver' }, 'nothing directly')
  const asked = await ask([scale(8), say], headers)
  t.match(questionOf(asked), { risk: 'medium', target: { within: { cloud_account: account } } })
  t.match((await decide(asked, headers)).json(), { status: 403, code: 'needs_other_approver' })
  t.equal(await countOf(), before)

  const writer = await makeBound('Writer', 'operator', onProject)
  t.match((await send('POST', '/content/briefs', writer.headers, input(project))).json(),
    { code: 'insufficient_role', role: 'approver' })
  const brief = await ask([use('createBrief', input(project)), say], writer.headers)
  t.match(questionOf(brief), { risk: 'low' })
  t.equal((await decide(brief, writer.headers)).statusCode, 200)
  const { frames } = await follow(app, brief.session, undefined, writer.headers)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'succeeded', http_status: 201 },
    'what was approved passes the route')
  t.match((await send('POST', '/content/briefs', writer.headers, input(project))).json(),
    { code: 'insufficient_role' }, 'and nothing stays open')
})

t.test('what an approver has approved is done for an operator, by builds too, and auto_deploy is not', async (t) => {
  const made = await makeApp(app, 'Shop')
  const { headers, id } = await makeBound('Deployer', 'operator', onAccount)
  const asked = await ask([use('deployApp', { app_id: made.id, image: `${registry}/web:9-ok` }), say], headers)
  t.match(questionOf(asked), { risk: 'high' })
  t.match((await decide(asked, headers)).json(), { status: 403, code: 'needs_other_approver' })
  t.equal((await decide(asked, asAdmin)).statusCode, 200)
  const { frames } = await follow(app, asked.session, undefined, headers)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'succeeded', http_status: 202 })
  const [build] = await app.db.selectFrom('deployment_build').select('principal')
    .where('app_id', '=', made.id).execute()
  t.match(build?.principal, { user_id: id, admitted: true })
  t.match((await send('PATCH', `/deployments/apps/${made.id}`, headers, { auto_deploy: { enabled: true } })).json(),
    { code: 'insufficient_role' })
})

t.test('nobody is asked about what the person may only read', async (t) => {
  const person = await makeBound('Half', 'viewer', onAccount)
  await bind(app, 'operator', { kind: 'user', id: person.id }, onProject)
  const asked = await ask([scale(9), say], person.headers)
  t.match(resultOf(asked), { status: 'failed', result: { code: 'insufficient_role', detail: /proposing needs/ } })
  t.notOk(questionOf(asked))
  const elsewhere = await makeBound('Elsewhere', 'operator', onProject)
  const lost = await ask([scale(9), say], elsewhere.headers)
  t.match(resultOf(lost), { status: 'failed', result: { code: 'service_not_found' } })
})

t.test('rights that are lost while a question waits are gone for its decision and for its execution', async (t) => {
  const before = await countOf()
  const { headers, binding } = await makeBound('Leaving', 'approver', onAccount)
  const asked = await ask([scale(7), say], headers)
  t.ok(questionOf(asked))
  await send('PATCH', `/account/bindings/${binding}`, asAdmin, { role: 'viewer' })
  t.match((await decide(asked, headers)).json(), { status: 403, code: 'insufficient_role' })
  await send('PATCH', `/account/bindings/${binding}`, asAdmin, { role: 'approver' })
  // In the moment of the decision: between it and the execution nothing else is in reach of a test.
  await sql`create function demote() returns trigger language plpgsql as 'begin
    update account_binding set role = ''viewer'' where user_id = new.user_id; return new; end'`.execute(app.db)
  await sql`create trigger demote after update on agent_confirmation for each row when (new.status = 'approved')
    execute function demote()`.execute(app.db)
  t.equal((await decide(asked, headers)).statusCode, 200)
  await sql`drop trigger demote on agent_confirmation`.execute(app.db)
  const { frames } = await follow(app, asked.session, undefined, headers)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'failed', result: { code: 'permission_revoked' } })
  t.equal(await countOf(), before)
})

t.test('tokens give no more than their scopes and the rights, whoever may use them', async (t) => {
  const person = await makePerson(app, 'Of a group', 'none')
  const group = await makeGroup(app, 'Shop team', [person.id])
  await bind(app, 'approver', { kind: 'group', id: group }, onProject)
  const token = await makeToken(app, person.headers, ['content:read', 'account:read'])
  t.equal((await send('GET', '/content/briefs', token.headers)).statusCode, 200)
  t.match((await send('POST', '/content/briefs', token.headers, input(project))).json(), { code: 'insufficient_scope' })
  const all = await makeToken(app, person.headers, [...allScopes])
  t.equal((await send('POST', '/content/briefs', all.headers, input(project))).statusCode, 201)
  t.match((await send('POST', '/content/briefs', all.headers, input(hidden))).json(), { code: 'not_found' })
  const marked = await makeToken(app, person.headers, allScopes.filter((scope) => scope !== 'approvals:write'),
    { assistant: true })
  t.match((await send('POST', '/content/briefs', marked.headers, input(project))).json(), { code: 'assistant_token' })
  t.equal((await send('GET', `/account/projects/${hidden}`, marked.headers)).statusCode, 404)
  await send('PATCH', `/account/groups/${group}`, asAdmin, { member_ids: [] })
  t.match((await send('GET', '/content/briefs', all.headers)).json(), { code: 'insufficient_role' })
  t.match((await send('GET', '/account/me', all.headers)).json(), { role: 'none', rights: [], groups: [] })
})

t.test('a project that is not theirs gives a conversation no instructions', async (t) => {
  const { headers } = await makeBound('Curious', 'viewer', onProject)
  const say = (id: string) => chat(app, { message: 'hello', context: { selected_project_id: id } }, headers)
  t.match((await say(hidden)).answer.json(), { code: 'project_not_found' })
  t.equal((await say(project)).answer.statusCode, 200)
})
