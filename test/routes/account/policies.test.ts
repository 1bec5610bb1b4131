import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { enableDraft, makeGroup, putPolicies, replayPolicies } from '../../policies.js'
import { makePerson, makeStranger, makeToken, problemOf } from './actors.js'

const app = await buildApp(t)
const url = '/account/policies'
const get = async (path = '') => (await app.inject({ url: `${url}${path}`, headers: asAdmin })).json()

const staging = `@id("staging")
@outcome("run")
permit (principal, action == Action::"scaleService", resource)
when { resource has environment && resource.environment == "staging" };`
const freeze = `@id("freeze")
@reason("Nothing changes at night")
forbid (principal, action in Action::"write", resource)
when { context.hour >= 22 || context.hour < 6 };`

const none = {
  decisions: 0,
  lacking: 0,
  run: { total: 0, rejected: 0 },
  forbid: { total: 0, approved: 0 },
  ask: [],
  unchanged: 0
}
const request = (more: object = {}) => ({
  tool: 'scaleService',
  arguments: { service: 'web', desired_count: 3 },
  target: { kind: 'ecs_service', id: 'web', within: { environment: 'staging' } },
  at: '2026-11-24T12:00:00Z',
  ...more
})
const runs = { name: 'staging runs', request: request(), expect: { outcome: 'run' } }

t.test('a draft is saved, tried, and holds only after it was replayed as it is', async (t) => {
  t.same(await get(), { enabled: null, draft: null, revision: 1 })
  const saved = await putPolicies(app, staging, [runs])
  const { draft, revision, enabled } = saved.json()
  t.same([saved.statusCode, saved.headers.etag, revision, enabled], [200, '"r2"', 2, null])
  t.match(draft, { text: staging, replayed_at: null, replay: null, warnings: [] })
  t.same(draft.results, [{
    name: 'staging runs',
    passed: true,
    verdict: { outcome: 'run', reason: null, requirement: null, policies: ['staging'], errors: [] }
  }])
  t.same(problemOf(await enableDraft(app, draft.digest)), {
    type: 'urn:steward:error:not_replayed',
    title: 'This draft was not replayed since it was changed last',
    status: 409,
    detail: 'This draft was not replayed since it was changed last',
    code: 'not_replayed'
  })
  const replayed = await replayPolicies(app)
  t.same(replayed.json(), { digest: draft.digest, counts: none, items: [], next_cursor: null })
  await putPolicies(app, `${staging}\n${freeze}`, [runs])
  t.equal((await enableDraft(app, draft.digest)).json().code, 'stale_draft', 'what was replayed is not the draft')
  const changed = await get()
  t.equal((await enableDraft(app, changed.draft.digest)).json().code, 'not_replayed')
  await replayPolicies(app)
  const holds = await enableDraft(app, changed.draft.digest)
  t.match(holds.json(), {
    enabled: { version: 1, text: `${staging}\n${freeze}`, digest: changed.draft.digest, replay: none }, draft: null
  })
  t.equal((await enableDraft(app, changed.draft.digest)).statusCode, 404, 'it holds already')
})

t.test('versions are kept, each with its difference; an empty draft turns policies off', async (t) => {
  const { draft: { digest, diff } } = (await putPolicies(app, '')).json()
  t.equal(diff.split('\n').filter((line: string) => line.startsWith('-')).length, 8)
  await replayPolicies(app)
  t.equal((await enableDraft(app, digest)).json().enabled.version, 2)
  const list = await get('/versions')
  t.same(list.items.map(({ version, text }: { version: number, text: string }) => [version, text === '']),
    [[2, true], [1, false]])
  const second = await get('/versions/2')
  t.same([second.against, second.diff, second.version.version], [1, diff, 2])
  t.match((await get('/versions/1')).diff, /^@@ -1,0 \+1,8 @@\n\+@id\("staging"\)/)
  t.equal((await get('/versions/2?against=2')).diff, '')
  t.equal((await app.inject({ url: `${url}/versions/3`, headers: asAdmin })).statusCode, 404)
})

t.test('examples are tests: a draft whose examples fail is not enabled', async (t) => {
  const wrong = { name: 'nights', request: request({ at: '2026-11-24T23:00:00Z' }), expect: { outcome: 'run' } }
  const { draft } = (await putPolicies(app, `${staging}\n${freeze}`, [runs, wrong])).json()
  t.same(draft.results.map(({ name, passed }: { name: string, passed: boolean }) => [name, passed]),
    [['staging runs', true], ['nights', false]])
  t.match(draft.results[1].verdict, { outcome: 'forbid', reason: 'Nothing changes at night', policies: ['freeze'] })
  await replayPolicies(app)
  const refused = await enableDraft(app, draft.digest)
  t.match([refused.statusCode, refused.json()], [409, { code: 'examples_fail', detail: 'These do not pass: "nights"' }])
  const unknown = { ...runs, request: request({ tool: 'scaleServices' }) }
  t.match(problemOf(await putPolicies(app, staging, [runs, unknown])), {
    code: 'policies_invalid', errors: [{ pointer: '/examples/1/request/tool', code: 'unknown_tool' }]
  })
})

t.test('what does not fit the tools is refused with its line and column', async (t) => {
  const lines = (text: string) => `@outcome("run")\n${text}`
  const cases: [string, string, object][] = [
    ['permit (principal, action, resource', 'invalid_policy', { line: 1, column: 36 }],
    [lines('permit (principal, action == Action::"scaleServices", resource);'), 'unfit_policy',
      { line: 2, column: 30 }],
    [lines('permit (principal, action, resource) when { resource.team == "a" };'), 'unfit_policy',
      { line: 2, column: 45 }],
    [lines('permit (principal, action == Action::"scaleService", resource) when { context.args.count == 1 };'),
      'unfit_policy', { line: 2 }],
    [lines('permit (principal, action == Action::"getService", resource);'), 'unfit_policy', { line: 2 }],
    ['// ééé\n@outcom("run")\npermit (principal, action, resource);', 'unknown_annotation', { line: 2, column: 1 }],
    ['permit (principal, action, resource);', 'invalid_annotation', { line: 1, column: 1 }],
    ['@outcome("run")\n@approvals("2")\npermit (principal, action, resource);', 'misplaced_annotation',
      { line: 2, column: 1 }],
    ['@outcome("approve")\n@approvals("0")\npermit (principal, action, resource);', 'invalid_annotation', { line: 2 }],
    ['@outcome("approve")\n@from("nobody")\npermit (principal, action, resource);', 'unknown_group', { line: 2 }],
    ['@outcome("approve")\n@escalate_after("1m")\npermit (principal, action, resource);', 'invalid_annotation', {}],
    ['@allow_tainted("true")\nforbid (principal, action, resource);', 'misplaced_annotation', { line: 1 }],
    ['forbid (principal in Group::"nobody", action, resource);', 'unknown_group', { line: 1, column: 29 }],
    ['forbid (principal == ?principal, action, resource);', 'template', { line: 1, column: 1 }],
    ['@id("a")\nforbid (principal, action, resource);\n@id("a")\nforbid (principal, action, resource);', 'repeated_id',
      { line: 3, column: 1 }]
  ]
  const before = await get()
  for (const [text, code, position] of cases) {
    const answer = await putPolicies(app, text)
    t.equal(answer.statusCode, 422, text)
    t.match(answer.json(),
      { code: 'policies_invalid', errors: [{ pointer: '/text', code }], problems: [position] }, text)
  }
  t.same(await get(), before, 'nothing is saved')
  const deep = await putPolicies(app, lines(`permit (principal, action, resource) when { ${'('.repeat(20_000)} };`))
  t.equal(deep.statusCode, 422, 'deep nesting')
})

t.test('an impossible policy is a warning', async (t) => {
  const { draft } = (await putPolicies(app,
    'forbid (principal, action == Action::"scaleService", resource) when { 1 == 2 };')).json()
  t.match(draft.warnings, [{ line: 1, column: 1, message: /impossible/ }])
})

t.test('a draft is changed by revision', async (t) => {
  const { revision } = await get()
  const put = (match: string) => app.inject({
    method: 'PUT', url, headers: { ...asAdmin, 'if-match': match }, payload: { text: staging }
  })
  t.match([(await put('"r1"')).json().code], ['stale_revision'])
  t.equal((await put(`"r${revision}"`)).headers.etag, `"r${revision + 1}"`)
})

t.test('a request is explained, by what holds or by the draft', async (t) => {
  const evaluate = (payload: object) =>
    app.inject({ method: 'POST', url: `${url}/evaluate`, headers: asAdmin, payload })
  t.equal((await evaluate({ of: 'enabled', request: request() })).json().policies.length, 0, 'none holds')
  await putPolicies(app, `@outcome("approve")@approvals("2")@exclude_requester("true")
    permit (principal, action == Action::"scaleService", resource)
    when { principal.role == "member" && context.args has desired_count && context.args.desired_count > 2 };`)
  t.same((await evaluate({ of: 'draft', request: request() })).json(), {
    outcome: 'ask',
    reason: null,
    requirement: {
      approvals: 2, groups: [], exclude_requester: true, escalate: null, policy_version: null, policies: ['policy1']
    },
    policies: ['policy1'],
    errors: []
  })
  t.match((await evaluate({ of: 'draft', request: request({ tool: 'nothing' }) })).json(), { code: 'unknown_tool' })
})

t.test('groups are meant by name or id, and a renamed one stays meant', async (t) => {
  const ops = await makeGroup(app, randomUUID(), 'On call', [app.home.admin_id])
  const text = `@outcome("approve")@from("on call")
    permit (principal in Group::"On call", action, resource);`
  const { draft } = (await putPolicies(app, text)).json()
  await replayPolicies(app)
  await enableDraft(app, draft.digest)
  await app.db.updateTable('account_group').set({ name: 'Renamed' }).where('id', '=', ops).execute()
  const explained = await app.inject({
    method: 'POST',
    url: `${url}/evaluate`,
    headers: asAdmin,
    payload: { request: request({ person: { groups: [ops] } }) }
  })
  t.match(explained.json(), { outcome: 'ask', requirement: { groups: [ops] }, policies: ['policy1'] })
})

t.test('only admins without a limit of scopes write policies, and only those of their workspace', async (t) => {
  const member = await makePerson(app, 'Member', 'member')
  const scoped = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  const assistant = await makeToken(app, asAdmin, ['account:read', 'account:write', 'agent:write'], { assistant: true })
  const stranger = await makeStranger(app)
  t.equal((await putPolicies(app, '', [], member.headers)).json().code, 'insufficient_role')
  t.equal((await app.inject({ url, headers: member.headers })).json().code, 'insufficient_role')
  for (const { headers } of [scoped, assistant]) {
    t.match((await putPolicies(app, '', [], headers)).json().code, /insufficient_scope|assistant_token/)
    t.match((await replayPolicies(app, {}, headers)).json().code, /insufficient_scope|assistant_token/)
    t.match((await enableDraft(app, 'x', headers)).json().code, /insufficient_scope|assistant_token/)
  }
  t.same((await app.inject({ url, headers: stranger })).json(), { enabled: null, draft: null, revision: 1 })
  t.notOk(app.tools.writes().some((name) => /polic|grant/i.test(name)), 'none is a tool')
})

t.test('the schema is that of the tools that write', async (t) => {
  const { schema } = await get('/schema')
  t.match(schema, /action "scaleService" in \[/)
  t.match(schema, /desired_count/)
  t.notMatch(schema, /getService"/)
})

t.test('a text that is nested too deeply, or that Cedar breaks on, is refused; the next one is judged', async (t) => {
  const before = await get()
  const when = (condition: string) => `@outcome("run") permit (principal, action, resource) when { ${condition} };`
  const refused = async (text: string) => {
    const answer = await putPolicies(app, text, [])
    const { code, problems: [problem] } = answer.json()
    return [answer.statusCode, code, problem.code, problem.line, problem.column]
  }
  const levels = 1_500
  t.same(await refused(`\n${when('('.repeat(levels) + 'true' + ')'.repeat(levels))}`),
    [422, 'policies_invalid', 'nested_too_deeply', 2, 110])
  t.same(await refused(when(`${'if true then true else '.repeat(levels)}true`)),
    [422, 'policies_invalid', 'nested_too_deeply', 1, 1211])
  // What no look at brackets finds: chains, which its own parser takes apart one in the other.
  for (const chain of [`context${'.a'.repeat(30_000)} == 1`, `1 == ${Array(20_000).fill('1').join('+')}`]) {
    t.same(await refused(when(chain)), [422, 'policies_invalid', 'too_complex', null, null])
  }
  t.same(await get(), before, 'nothing is written')
  const brackets = '(('.repeat(20) + 'true' + '))'.repeat(20)
  const saved = await putPolicies(app, `// ((((\n@id("deep")${when(brackets)}`, [{ ...runs, name: 'nested runs' }])
  t.match([saved.statusCode, saved.json().draft.results], [200, [{ name: 'nested runs', passed: true }]])
})
