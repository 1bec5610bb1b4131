import t, { type Test } from '../tap.js'
import { asAdmin, buildApp, type App } from '../app.js'
import { digest } from '../attacks/digest.js'
import { accountCases } from '../consent/account.js'
import type { Arranged, ConsentCase } from '../consent/case.js'
import { codehostCases } from '../consent/codehost.js'
import { contentCases } from '../consent/content.js'
import { deploymentsCases } from '../consent/deployments.js'
import { infrastructureCases } from '../consent/infrastructure.js'
import { pseCases } from '../consent/pse.js'
import { enablePolicies } from '../policies.js'
import { recordTables } from '../recorded.js'
import { problemOf } from '../routes/account/actors.js'
import { deliver, pushOf, settleHooks } from '../routes/codehost/hooks.js'
import { actor, makeApp, sha } from '../routes/deployments/actors.js'
import { addServer, request, startServer } from '../routes/toolservers/actors.js'

const settings = { LIMITS: '{"requests_per_minute":1000000}', OUTBOUND_ALLOW: '127.0.0.1' }
const app = await buildApp(t, settings)
/** Nothing takes the builds. */
const idle = await buildApp(t, { ...settings, WORKER: 'false' })

const everything = (app: App, head: string, effect = 'permit') =>
  enablePolicies(app, `@id("all")${head} ${effect} (principal, action, resource);`)

interface Tried extends Arranged { name: string, write: () => ReturnType<typeof callTool> }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const callTool = async (app: App, name: string, args: Arranged['args'], more: Record<string, string> = {}) => {
  const request = app.tools.find(name)?.bind(args)
  if (!request) throw new Error(`There is no tool ${name}`)
  const { url, payload } = request
  // The routes of tools have no other methods.
  const method = request.method as Method
  return app.inject({ method, url, headers: { ...asAdmin, ...more }, ...(payload && { payload }) })
}

/** Every write that is a tool, as a person calls it by its route. */
const arrangeAll = async (app: App, cases: ConsentCase[]): Promise<Tried[]> => {
  const tried: Tried[] = []
  for (const { tool: name, reads, arrange } of cases) {
    if (reads) continue
    const arranged = await arrange(app)
    tried.push({ ...arranged, name, write: () => callTool(app, name, arranged.args) })
  }
  return tried
}

const forbidden = {
  type: 'urn:steward:error:forbidden_by_policy',
  title: 'The policies of the workspace forbid this',
  status: 403,
  detail: 'Nothing is written today',
  code: 'forbidden_by_policy',
  policies: ['all']
}

const leftOut = [...recordTables, 'account_policy_draft', 'account_policy_version', 'rate_window',
  // What the cases of content have begun to publish ends by itself; what each write does is compared there.
  'content', 'content_publication']

const triesAll = async (t: Test, app: App, tried: Tried[], works: boolean) => {
  const before = works ? {} : await digest(app, leftOut)
  await everything(app, '@reason("Nothing is written today")', 'forbid')
  for (const { name, write, executed } of tried) {
    const done = await executed()
    const answer = await write()
    t.same([answer.statusCode, problemOf(answer)], [403, forbidden], name)
    t.equal(await executed(), done, `${name} was not done`)
  }
  const version = await everything(app, '@outcome("approve")@approvals("2")')
  for (const { name, write, executed } of tried) {
    const done = await executed()
    const answer = await write()
    t.same([answer.statusCode, problemOf(answer)], [403, {
      type: 'urn:steward:error:approval_required',
      title: 'The policies of the workspace require an approval for this',
      status: 403,
      detail: `Other people have to approve it: propose it with POST /api/v1/agent/tool-calls as ${name}`,
      code: 'approval_required',
      policies: ['all'],
      requirement: {
        approvals: 2, groups: [], exclude_requester: false, escalate: null, policy_version: version, policies: ['all']
      },
      tool: name
    }], name)
    t.equal(await executed(), done, `${name} was not done`)
  }
  t.same(works ? {} : await digest(app, leftOut), before, 'and nothing was stored')
}

/** The requests are right: it was the policies that refused them. */
const runAll = async (t: Test, app: App, tried: Tried[]) => {
  await everything(app, '@outcome("approve")')
  for (const { name, write } of tried) {
    const answer = await write()
    t.ok(answer.statusCode < 300, `${name}: ${answer.statusCode} ${answer.statusCode < 300 ? '' : answer.payload}`)
  }
}

/** Where something works in the background, only what each write does is compared. */
const areas: [string, App, ConsentCase[], works?: boolean][] = [
  ['builds', idle, deploymentsCases],
  ['the code host', app, codehostCases],
  ['publications and texts', app, contentCases, true],
  ['infrastructure', app, infrastructureCases.filter(({ tool }) => tool !== 'deployService'), true],
  // Another case has a deployment of the same service under way.
  ['deployments', idle, infrastructureCases.filter(({ tool }) => tool === 'deployService')],
  ['specs', app, pseCases, true],
  ['the account', app, accountCases]
]

for (const [area, app, cases, works = false] of areas) {
  t.test(`${area}: each write that is a tool is refused to a person too, and nothing is written`, async (t) => {
    await enablePolicies(app, '')
    const tried = await arrangeAll(app, cases)
    t.ok(tried.length > 0, `${tried.length} writes`)
    await triesAll(t, app, tried, works)
    await runAll(t, app, tried)
  })
}

const auto = { enabled: true, branch: 'main', paths: [] }
const pushed = async (after: string, at: number) => {
  t.equal((await deliver(idle, 'push', pushOf({ after, at }))).statusCode, 202)
  await settleHooks(idle)
}

t.test('a push that a policy forbids, or that others have to approve, starts no build, and the app says why',
  async (t) => {
    await enablePolicies(idle, '')
    const { id } = await makeApp(idle, 'Pushed', { auto_deploy: auto })
    const { json } = actor(idle)
    const builds = async () => (await json(`/apps/${id}/builds`)).items.length
    const refused = async () => (await json(`/apps/${id}`)).refused_push
    const policy = (head: string, effect = 'permit') =>
      enablePolicies(idle, `${head} ${effect} (principal, action == Action::"deployApp", resource);`)
    await policy('@reason("No builds today")', 'forbid')
    await pushed(sha('b'), 1_780_000_100)
    t.match([await builds(), await refused()], [0, {
      commit: sha('b'), code: 'forbidden_by_policy', detail: 'No builds today'
    }])
    await policy('@outcome("approve")@exclude_requester("true")')
    await pushed(sha('c'), 1_780_000_200)
    t.match([await builds(), await refused()], [0, {
      commit: sha('c'),
      code: 'approval_required',
      detail: 'Other people have to approve it: propose it with POST /api/v1/agent/tool-calls as deployApp'
    }])
    await policy('@outcome("approve")')
    await pushed(sha('d'), 1_780_000_300)
    t.same([await builds(), await refused()], [1, null])
  })

t.test('a tool of a tool server that a policy forbids is not called', async (t) => {
  await enablePolicies(app, '')
  const server = await startServer(t)
  const id = await addServer(app, 'post', server)
  const call = (dry_run = false) =>
    request(app, 'POST', `/${id}/tools/send_letter/calls`, { arguments: { to: 'Ada' }, dry_run })
  const policy = (head: string, effect = 'permit') =>
    enablePolicies(app, `@id("post")${head} ${effect} (principal, action in Action::"toolservers", resource);`)
  await policy('@reason("Nobody writes letters")', 'forbid')
  t.match(problemOf(await call()), {
    status: 403, code: 'forbidden_by_policy', detail: 'Nobody writes letters', policies: ['post']
  })
  await policy('@outcome("approve")@approvals("2")')
  t.match(problemOf(await call()), { status: 403, code: 'approval_required', tool: 'post__send_letter' })
  t.same(server.calls, [])
  await policy('@outcome("approve")')
  t.match((await call()).json(), { called: true })
  t.same(server.calls, [{ name: 'send_letter', arguments: { to: 'Ada' } }])
})

t.test('what was answered before a policy forbade it is answered again', async (t) => {
  await enablePolicies(app, '')
  const key = { 'idempotency-key': 'before-the-policy' }
  const first = await callTool(app, 'createProject', { name: 'Answered' }, key)
  t.equal(first.statusCode, 201)
  await everything(app, '@reason("Nothing is written today")', 'forbid')
  const again = await callTool(app, 'createProject', { name: 'Answered' }, key)
  t.same([again.statusCode, again.json(), again.headers['idempotent-replayed']], [201, first.json(), 'true'])
  t.equal((await callTool(app, 'createProject', { name: 'Not answered before' })).statusCode, 403)
})

t.test('a standard with all its rules is saved where a policy lets writes run', async (t) => {
  await everything(app, '@outcome("run")')
  const standard = await callTool(app, 'createStandard', { clone_of: 'steward-ears', key: 'kept-standard' })
  t.equal(standard.statusCode, 201, standard.payload)
  const { kind, rules } = standard.json()
  t.ok(rules.length > 0)
  for (const url of ['/pse/standards?key=kept-standard', '/pse/standards/kept-standard']) {
    const payload = { title: `Saved at ${url}`, kind, rules }
    const saved = await app.inject({ method: 'PUT', url, headers: asAdmin, payload })
    t.match([saved.statusCode, saved.json()], [200, { title: payload.title, rules }])
  }
})
