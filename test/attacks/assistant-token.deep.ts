import t from '../tap.js'
import { allScopes } from '../../schemas/account/scopes.js'
import { asAdmin, buildApp } from '../app.js'
import { recordTables } from '../recorded.js'
import { makeToken, problemOf } from '../routes/account/actors.js'
import { fill } from './belongings.js'
import { digest } from './digest.js'
import { addressOf, walk, type Operation } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const writes = operations.filter(({ method, isPublic }) => method !== 'GET' && !isPublic)

/** All that such a token can have. */
const scopes = allScopes.filter((scope) => scope !== 'approvals:write')
const { headers } = await makeToken(app, asAdmin, scopes, { assistant: true })

const send = (operation: Operation) => app.inject({
  method: operation.method,
  url: addressOf(operation, ({ name, in: location, required, schema }) =>
    location === 'path' ? idOf(operation, name) : required ? String(sampleOf(schema, resolve)) : undefined),
  headers: { ...headers, prefer: 'wait=0' },
  ...(operation.body && { payload: Object(sampleOf(operation.body, resolve)) })
})

/** It says something, now or later, with files, and stops it; proposes, suggests, and has a text checked. */
const allowed = [
  'addAttachment', 'cancelRun', 'chat', 'checkText', 'proposePlan', 'proposeToolCall', 'queueChatMessage',
  'updatePreferences'
]

t.test('B22: a token marked for an assistant changes nothing by itself, whatever its scopes', async (t) => {
  const recorded = [...recordTables, 'rate_window', 'account_token']
  const before = await digest(app, recorded)
  const refused = writes.filter(({ id }) => !allowed.includes(id))
  t.ok(refused.length > 60, `${refused.length} operations`)
  for (const operation of refused) {
    const answer = await send(operation)
    t.match(problemOf(answer), {
      type: 'urn:steward:error:assistant_token',
      title: 'A token marked for an assistant may only read, chat and propose',
      status: 403,
      code: 'assistant_token'
    }, operation.id)
  }
  t.same(await digest(app, recorded), before, 'and nothing was touched')
  t.same(writes.map(({ id }) => id).filter((id) => allowed.includes(id)).toSorted(), allowed)
})

t.test('B22: the refusal says what to do next', async (t) => {
  const detailOf = async (id: string) => {
    const operation = writes.find((one) => one.id === id)
    return operation && problemOf(await send(operation)).detail
  }
  t.equal(await detailOf('scaleService'),
    'Propose it with POST /api/v1/agent/tool-calls or over /mcp: a person decides, and then it is done')
  t.equal(await detailOf('createApiToken'),
    'It cannot be proposed either: a person does it, in the browser or with a token that is not marked')
})

t.test('B22: the same token reads, proposes, and has texts checked', async (t) => {
  const get = (url: string) => app.inject({ url, headers })
  t.equal((await get('/account/me')).statusCode, 200)
  const { items: [web] } = (await get('/infrastructure/containers/clusters/prod/services')).json()
  const call = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/tool-calls',
    headers,
    payload: { name: 'scaleService', arguments: { service: web.id, desired_count: 7 } }
  })
  t.match([call.statusCode, call.json()], [202, { name: 'scaleService', status: 'awaiting' }])
  t.match((await get(`/api/v1/agent/tool-calls/${call.json().tool_call_id}`)).json(), { status: 'awaiting' })
  const check = writes.find(({ id }) => id === 'checkText')
  t.not((check && problemOf(await send(check)))?.code, 'assistant_token')
})
