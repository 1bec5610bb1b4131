import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { missing } from '../attacks/belongings.js'
import { addressOf, walk } from '../attacks/operations.js'
import { problemOf } from '../routes/account/actors.js'

const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"requests_per_minute":100000}' })
const { operations } = walk(app)

/** These take unknown parameters; their routes state why. */
const open = ['completeCodehostAuthorization', 'completeIdentitySignIn', 'getContentImage', 'getFeed',
  'readContentCalendar', 'receiveEvent', 'receiveSlackCommand', 'receiveSlackInteraction', 'receiveWebhook']

t.test('a misspelt query parameter is a 400 that names it, for every operation', async (t) => {
  const asked = operations.filter(({ id }) => !open.includes(id))
  t.ok(asked.length > 140)
  for (const operation of asked) {
    const path = addressOf(operation, ({ in: location }) => location === 'path' ? missing : undefined)
    const answer = await app.inject({ method: operation.method, url: `${path}?limt=1&limit%20=2`, headers: asAdmin })
    const { detail, ...problem } = problemOf(answer)
    const message = 'is not a parameter of this operation'
    t.same(problem, {
      type: 'urn:steward:error:unknown_parameter',
      title: 'The query has a parameter that this operation does not know',
      status: 400,
      code: 'unknown_parameter',
      errors: [
        { pointer: '/querystring/limt', code: 'unknown_parameter', message },
        { pointer: '/querystring/limit ', code: 'unknown_parameter', message }
      ]
    }, operation.id)
    t.match(detail, /^\/querystring\/limt is not a parameter of this operation, which takes /, operation.id)
  }
})

t.test('the answer says which parameters there are', async (t) => {
  const of = async (url: string) => problemOf(await app.inject({ url, headers: asAdmin })).detail
  t.equal(await of('/account/users?limt=1'),
    '/querystring/limt is not a parameter of this operation, which takes these: limit, cursor, q')
  t.equal(await of('/account/me?x'), '/querystring/x is not a parameter of this operation, which takes none')
  for (const name of ['__proto__', 'constructor', 'limit[]', 'LIMIT']) {
    t.match(await of(`/account/users?${encodeURIComponent(name)}=1`), 'is not a parameter of this operation')
  }
})

t.test('an invalid Idempotency-Key is refused with what it must be', async (t) => {
  const send = async (url: string, key: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url, headers: { ...asAdmin, 'idempotency-key': key }, payload })
    const { code, detail, errors } = answer.json()
    return { status: answer.statusCode, code, detail, errors }
  }
  const rule = 'it must be 1 to 200 printable ASCII characters without spaces, such as a UUID'
  const cases: [key: string, found: string][] = [
    ['x'.repeat(201), 'has 201 characters'], ['x'.repeat(900), 'has 900 characters'],
    ['a b', 'is empty or has a space or a sign beyond ASCII'], ['""', 'is empty or has a space or a sign beyond ASCII']
  ]
  const targets = [['/account/projects', { name: 'x' }], ['/api/v1/agent/chat', { message: 'x' }]] as const
  for (const [url, payload] of targets) {
    for (const [key, found] of cases) {
      const message = `${found}: ${rule}`
      t.same(await send(url, key, payload), {
        status: 400,
        code: 'invalid_request',
        detail: `Idempotency-Key ${message}`,
        errors: [{ pointer: '/headers/idempotency-key', code: 'pattern', message }]
      }, `${url} ${key.slice(0, 5)}`)
    }
  }
})

const wrong = async (method: 'POST' | 'PUT', url: string, payload: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, payload })
  const { code, errors } = answer.json()
  return [answer.statusCode, code, errors?.map((one: { pointer: string, code: string }) => [one.pointer, one.code])]
}

t.test('what is wrong in a union is what is wrong in the branch that was named', async (t) => {
  const made = await app.inject({ method: 'POST', url: '/pse/sessions', headers: asAdmin, payload: { title: 'Lamps' } })
  const url = `/pse/sessions/${made.json().session_id}/inputs`
  const text = { kind: 'text', text: 'Lamps must glow.' }
  const cases: [input: object, code: string, pointer: string, rule: string][] = [
    [{ ...text, colour: 'red' }, 'unknown_field', '/colour', 'unknown_field'],
    [{ kind: 'url', url: 'https://example.com', ref: 'main' }, 'unknown_field', '/ref', 'unknown_field'],
    [{ kind: 'url', url: 'ftp://x' }, 'invalid_request', '/url', 'pattern'],
    [{ kind: 'repo_issue', repo_id: '1' }, 'invalid_request', '/number', 'required'],
    [{ kind: 'repo_issue', repo_id: '1', number: '1' }, 'invalid_request', '/number', 'type'],
    [{ kind: 'edit', base_version: 1, ops: [{ op: 'add', target: 'x', valeu: 1 }] }, 'unknown_field', '/ops/0/valeu',
      'unknown_field'],
    [{ kind: 'txt', text: 'x' }, 'invalid_request', '/kind', 'enum'],
    [{ text: 'x' }, 'invalid_request', '/kind', 'required'],
    [{ kind: 7 }, 'invalid_request', '/kind', 'enum']
  ]
  for (const [input, code, pointer, rule] of cases) {
    const name = JSON.stringify(input)
    t.same(await wrong('POST', url, { inputs: [text, input] }), [400, code, [[`/inputs/1${pointer}`, rule]]], name)
    if ('kind' in input) t.same(await wrong('POST', url, input), [400, code, [[pointer, rule]]], `${name} alone`)
  }
})

t.test('so it is in every union of a body, whether it says its discriminator or not', async (t) => {
  const rule = { rule_id: 'x', title: 'x', level: 'MUST', severity: 'error', target: 'document' }
  const standard = (check: object) => ({ key: 'lamps', title: 'X', kind: 'ruleset', rules: [{ ...rule, check }] })
  t.same(await wrong('POST', '/pse/standards', standard({ fn: 'length', options: { unit: 'words', mx: 1 } })),
    [400, 'unknown_field', [['/rules/0/check/options/mx', 'unknown_field']]])
  const target = { kind: 'lambda', function_id: 'x', container: 'x' }
  const source = { repo: 'larkspur/web' }
  t.same(await wrong('POST', '/deployments/apps', { name: 'x', source, target }),
    [400, 'unknown_field', [['/target/container', 'unknown_field']]])
  const auth = { type: 'ambient', role: 'x' }
  t.same(await wrong('POST', '/cloud/accounts', { name: 'x', regions: ['eu-west-1'], auth }),
    [400, 'unknown_field', [['/auth/role', 'unknown_field']]])
})
