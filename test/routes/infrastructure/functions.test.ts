import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const base = '/infrastructure/serverless/functions'
const get = (url: string) => app.inject({ url, headers: asAdmin })
const invoke = (name: string, payload?: object) => app.inject({
  method: 'POST', url: `${base}/${encodeURIComponent(name)}/invoke`, headers: asAdmin, ...(payload && { payload })
})
const [account] = (await get('/cloud/accounts')).json().items

t.beforeEach(() => sandbox.clear())

t.test('functions of all accounts and regions, without values of their environment', async (t) => {
  const answer = await get(`${base}?limit=100`)
  t.equal(answer.statusCode, 200)
  const { items, ...rest } = answer.json()
  t.same(rest, { next_cursor: null, partial: false, errors: [] })
  t.equal(items.length, 9)
  t.notMatch(answer.body, /sk_live/)
  const webhook = items.find(({ name }: { name: string }) => name === 'order-webhook')
  t.match(webhook, {
    id: `${account.id}~eu-west-1~order-webhook`,
    arn: 'arn:aws:lambda:eu-west-1:123456789012:function:order-webhook',
    runtime: 'nodejs22.x',
    package_type: 'Zip',
    memory_mb: 128,
    timeout_s: 3,
    state: null,
    log_group: '/aws/lambda/order-webhook',
    env_keys: ['STRIPE_KEY', 'TABLE']
  })
  t.equal(items.find(({ name }: { name: string }) => name === 'pdf-render').runtime, null)
})

t.test('one function, by its id, its ARN and its name', async (t) => {
  for (const name of [`${account.id}~eu-west-1~echo`, 'arn:aws:lambda:eu-west-1:123456789012:function:echo', 'echo']) {
    const answer = await get(`${base}/${encodeURIComponent(name)}`)
    t.match(answer.json(), { id: `${account.id}~eu-west-1~echo`, state: 'Active', version: '$LATEST' }, name)
  }
  t.match((await get(`${base}/order-webhook?qualifier=live`)).json(), { version: '2' })
  for (const name of ['nothing', `${account.id}~eu-west-1~nothing`]) {
    t.match((await get(`${base}/${name}`)).json(), { status: 404, code: 'function_not_found' })
  }
  const aliased = await get(`${base}/${encodeURIComponent('order-webhook:live')}`)
  t.match(aliased.json(), { status: 422, code: 'qualifier_in_name', errors: [{ pointer: '/qualifier' }] })
})

t.test('a function answers', async (t) => {
  const answer = await invoke('echo', { payload: { hello: ['wörld', 1] } })
  t.equal(answer.statusCode, 200)
  const { id, duration_ms: took, log_tail: tail, aws_request_id: request, ...rest } = answer.json()
  t.ok(id && request)
  t.type(took, 'number')
  t.match(tail, /REPORT RequestId/)
  t.same(rest, {
    function_id: `${account.id}~eu-west-1~echo`,
    qualifier: '$LATEST',
    mode: 'sync',
    status: 'ok',
    status_code: 200,
    executed_version: '$LATEST',
    payload: { hello: ['wörld', 1] },
    payload_text: null,
    payload_base64: null,
    function_error: null,
    billed_ms: 3
  })
  const bare = await invoke('echo')
  t.match(bare.json(), { status: 'ok' }, 'a POST without a body works')
  const versioned = await invoke('order-webhook', { qualifier: 'live', log_tail: false })
  t.match(versioned.json(), { executed_version: '2', qualifier: 'live', log_tail: null, billed_ms: null })
})

t.test('a function that fails is an answer', async (t) => {
  const answer = await invoke('nightly-report', {})
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), {
    status: 'function_error',
    function_error: { kind: 'Unhandled', type: 'TypeError', message: /reading 'total'/, trace: [/TypeError/, /report.js/] }
  })
})

t.test('async hands over, dry_run checks', async (t) => {
  t.match((await invoke('echo', { mode: 'async', payload: 1 })).json(), { status: 'accepted', status_code: 202 })
  t.match((await invoke('echo', { mode: 'dry_run' })).json(), { status: 'validated', status_code: 204, payload: null })
})

t.test('I62: it is never invoked twice, and an unknown outcome says so', async (t) => {
  for (const kind of ['error_500', 'drop', 'throttle']) {
    const before = await sandbox.calls('Invoke')
    await sandbox.fault({ kind, operation: 'Invoke', times: 1, ...(kind === 'drop' && { executed: true }) })
    const answer = await invoke('echo', {})
    const expected = kind === 'throttle' ? [429, 'invocation_limited'] : [504, 'invocation_outcome_unknown']
    t.same([answer.statusCode, answer.json().code], expected, kind)
    t.equal(await sandbox.calls('Invoke') - before, 1, kind)
  }
  const paused = await invoke('paused-import', {})
  t.match(paused.json(), { status: 429, code: 'invocation_limited', detail: /ReservedFunctionConcurrent/ })
})

t.test('bad input is refused before AWS is asked', async (t) => {
  const before = await sandbox.calls('Invoke')
  const big = { payload: 'x'.repeat(1_048_577), mode: 'async' }
  t.match((await invoke('echo', big)).json(), { status: 413, code: 'payload_too_large' })
  t.match((await invoke('echo', { payload: 'x'.repeat(6_400_000) })).json(), { status: 413, code: 'payload_too_large' })
  t.match((await invoke('echo', { mode: 'later' })).json(), { status: 400, code: 'invalid_request' })
  t.match((await invoke('echo', { surprise: 1 })).json(), { status: 400, code: 'unknown_field' })
  t.match((await invoke('nothing', {})).json(), { status: 404, code: 'function_not_found' })
  t.match((await invoke('echo', { qualifier: 'nope' })).json(), { status: 404, code: 'function_not_found' })
  t.equal(await sandbox.calls('Invoke'), before)
})

const deploy = (name: string, payload: object, headers: Record<string, string> = {}) => app.inject({
  method: 'POST', url: `${base}/${name}/deploy`, headers: { ...asAdmin, ...headers }, payload
})
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

t.test('a function made of an image gets another one, and says when it has taken it over', async (t) => {
  const before = (await get(`${base}/pdf-render`)).json()
  const { image: first } = before
  t.match([first, before.last_update], [`${registry}/pdf-render:latest`, { status: 'successful', reason: null }])
  t.match(before.image_digest, /^sha256:[0-9a-f]{64}$/)
  t.match(before.aliases, [{ name: 'live', versions: [{ version: '1', share: 1 }] }])
  const plan = await deploy('pdf-render', { image: `${registry}/pdf-render:2`, dry_run: true })
  t.match(plan.json(), { dry_run: true, previous_image: before.image, revision_id: before.revision_id })
  t.equal((await get(`${base}/pdf-render`)).json().image, before.image, 'a dry run changes nothing')

  const answer = await deploy('pdf-render', { image: `${registry}/pdf-render:2`, revision_id: before.revision_id })
  t.equal(answer.statusCode, 202)
  const { revision_id: revision, ...rest } = answer.json()
  t.not(revision, before.revision_id)
  t.same(rest, {
    function_id: `${account.id}~eu-west-1~pdf-render`,
    image: `${registry}/pdf-render:2`,
    previous_image: before.image,
    version: '$LATEST',
    aliases: before.aliases,
    dry_run: false,
    last_update: { status: 'in_progress', reason: 'The function is being created.' }
  })
  const busy = await deploy('pdf-render', { image: `${registry}/pdf-render:3` })
  t.match(busy.json(), { status: 409, code: 'function_update_in_progress' })
  await sandbox.advance(5_000)
  const after = (await get(`${base}/pdf-render`)).json()
  t.match(after, { image: `${registry}/pdf-render:2`, last_update: { status: 'successful', reason: null } })
  t.not(after.image_digest, before.image_digest)

  const stale = await deploy('pdf-render', { image: `${registry}/pdf-render:3`, revision_id: before.revision_id })
  t.match(stale.json(), { status: 409, code: 'function_changed' })
  t.equal((await deploy('pdf-render', { image: `${registry}/pdf-render:nopull` })).statusCode, 202)
  await sandbox.advance(5_000)
  t.match((await get(`${base}/pdf-render`)).json().last_update, { status: 'failed', reason: /does not exist/ })
  await deploy('pdf-render', { image: before.image })
  await sandbox.advance(5_000)
})

t.test('what cannot be deployed to a function is refused, and nothing is sent', async (t) => {
  const image = `${registry}/pdf-render:1`
  t.match((await deploy('echo', { image })).json(), { status: 409, code: 'function_not_deployable' })
  t.match((await deploy('nothing', { image })).json(), { status: 404, code: 'function_not_found' })
  t.match((await deploy('pdf-render', {})).json(), { status: 400, errors: [{ pointer: '/image' }] })
  t.match((await deploy('pdf-render', { image: 'No Image' })).json(), { status: 400, errors: [{ pointer: '/image' }] })
  t.match((await deploy('pdf-render', { image, force: true })).json(), { status: 400, code: 'unknown_field' })
  const sent = await sandbox.calls('UpdateFunctionCode')
  await sandbox.deny('lambda:GetFunction')
  t.match((await get(`${base}/pdf-render`)).json(), { image: null, image_digest: null, state: 'Active' })
  await sandbox.deny('lambda:UpdateFunctionCode')
  t.match((await deploy('pdf-render', { image })).json(),
    { code: 'aws_permission_denied', missing_permission: { action: 'lambda:UpdateFunctionCode' } })
  await sandbox.deny()
  t.equal(await sandbox.calls('UpdateFunctionCode'), sent + 1)
})

t.test('so many invocations of an account run at once, and no more', async (t) => {
  const { statusCode, body } = await invoke('echo', { payload: 1 })
  t.equal(statusCode, 200, body)
  await sandbox.fault({ kind: 'slow', operation: 'Invoke', delay_ms: 5_000, times: 10 })
  const before = await sandbox.calls('Invoke')
  const running = Array.from({ length: 10 }, () => invoke('echo', { payload: 1 }))
  while (await sandbox.calls('Invoke') < before + 10) await new Promise((resolve) => setTimeout(resolve, 20))
  const refused = await invoke('echo', { payload: 1 })
  t.match(refused.json(),
    { status: 429, code: 'invocation_limited', detail: '10 invocations in this account have not answered yet' })
  t.same((await Promise.all(running)).map((answer) => answer.statusCode), Array.from({ length: 10 }, () => 200))
  t.equal((await invoke('echo', { payload: 1 })).statusCode, 200, 'they are free again')
})
