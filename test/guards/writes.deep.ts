import t from '../tap.js'
import { noWaysIn, waysIn } from '../../lib/security/ways-in.js'
import { asAdmin, buildApp } from '../app.js'
import { callerOf, codeOf } from '../attacks/access.js'
import { addressOf, walk } from '../attacks/operations.js'
import { enablePolicies } from '../policies.js'

const app = await buildApp(t, { LIMITS: '{"requests_per_minute":1000000}', WORKER: 'false' })
const safe = ['GET', 'HEAD', 'OPTIONS']
const writes = app.accessTable().filter(({ access, method }) => access !== undefined && !safe.includes(method))

t.test('every write is judged by policies, or its route says why not', async (t) => {
  t.ok(writes.length > 130, `${writes.length} writes`)
  for (const { operationId = '', gated, ungated, tool } of writes) {
    t.ok(operationId, 'a write that policies name has an operation')
    t.equal(gated, tool === 'write' || ungated === undefined, operationId)
    if (!gated) t.match(ungated, /^\S.{10,}/, operationId)
  }
  const direct = app.directWrites().map(({ name }) => name)
  for (const name of ['createIssue', 'createReleaseBrief', 'undeleteApp', 'undeleteSpecSession', 'addContentImage',
    'deleteContentImage', 'createCloudAccount', 'putProjectInstructions', 'unarchiveProject', 'addToolServer']) {
    t.ok(direct.includes(name), name)
  }
})

t.test('a policy that forbids all writes forbids each that is judged, whether it is a tool or not', async (t) => {
  const version = await enablePolicies(app, '@id("all") forbid (principal, action, resource);')
  t.ok(version)
  const { operations, resolve } = walk(app)
  const call = callerOf(app, resolve)
  const missing = '01900000-0000-7000-8000-000000000000'
  // Whose bodies follow rules that a schema cannot say, or patterns that a sample does not fit.
  const bodies: Record<string, object> = {
    addToolServer: { name: 'notes', url: 'https://notes.example/mcp' },
    createCloudAccount: { name: 'Role', regions: ['eu-west-1'], auth: { type: 'ambient' } },
    createReleaseBrief: { project_id: missing, repo_id: '1', base: 'v1.0.0' },
    connectModel: { provider: 'anthropic', model: 'claude-sonnet-5-5', api_key: 'sk-0123456789' },
    createIssue: { title: 'Bell', body: 'It rings.', key: 'bell-0001' }
  }
  for (const { name } of app.directWrites()) {
    const operation = operations.find(({ id }) => id === name)
    if (!operation) { t.fail(`${name} is not in the document`); continue }
    const valueOf = (parameter: string) => parameter === 'repo_id' ? '1' : missing
    const payload = bodies[name]
    const url = addressOf(operation, ({ name: parameter, in: location }) => location === 'path' ? valueOf(parameter) : undefined)
    const answer = payload
      ? await app.inject({ method: operation.method, url, headers: asAdmin, payload })
      : await call(operation, asAdmin, valueOf)
    t.same(codeOf(answer), [403, 'forbidden_by_policy'], name)
  }
  await enablePolicies(app, '')
})

t.test('another address of a tool obeys what is said of the tool, and a policy may name a write that is none', async (t) => {
  const made = await app.inject({
    method: 'POST',
    url: '/pse/standards',
    headers: asAdmin,
    payload: { key: 'house', title: 'House', kind: 'guideline', body_markdown: 'Doors close.' }
  })
  t.equal(made.statusCode, 201, made.payload)
  const account = {
    method: 'POST' as const,
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Server', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  }
  await enablePolicies(app, `@id("kept") forbid (principal, action == Action::"deleteStandard", resource);
    @id("accounts") forbid (principal, action == Action::"createCloudAccount", resource);`)
  const { standard_id: id } = made.json()
  for (const url of ['/pse/standards?key=house', `/pse/standards?standard_id=${id}`, `/pse/standards/${id}`]) {
    const answer = await app.inject({ method: 'DELETE', url, headers: asAdmin })
    t.match([answer.statusCode, answer.json()], [403, { code: 'forbidden_by_policy', policies: ['kept'] }], url)
  }
  const refused = await app.inject(account)
  t.match([refused.statusCode, refused.json()], [403, { code: 'forbidden_by_policy', policies: ['accounts'] }])
  await enablePolicies(app, '')
  t.equal((await app.inject({ method: 'DELETE', url: '/pse/standards?key=house', headers: asAdmin })).statusCode, 204)
})

t.test('every operation that makes a way in is signed, and of every other it is written down why it makes none', async (t) => {
  const others = Object.values(noWaysIn).flat()
  t.same(others.filter((name, at) => others.indexOf(name) !== at || name in waysIn), [], 'each stands once')
  const names = new Set(writes.map(({ operationId }) => operationId))
  t.same([...Object.keys(waysIn), ...others].filter((name) => !names.has(name)), [], 'each is an operation')
  for (const { operationId = '', tool, stepUp } of writes) {
    t.equal(stepUp, waysIn[operationId], operationId)
    if (tool !== undefined) continue
    t.ok(stepUp !== undefined || others.includes(operationId), `${operationId} says whether it is a way in`)
  }
})
