import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, framesOf, scripted, startChatApp, until } from '../../chat.js'
import { planOf } from '../../plan.js'
import { makeApp } from '../deployments/actors.js'
import { advanceDeployment } from '../infrastructure/advance.js'
import { steer } from '../infrastructure/sandbox.js'

const { app, anthropic } = await startChatApp(t, { WORKER: 'false' })
const aws = steer(app)
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const containers = '/infrastructure/containers/services/web'
const functions = '/infrastructure/serverless/functions'
const send = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
const [sandbox] = (await send('GET', '/cloud/accounts')).json().items
const account = `/cloud/accounts/${sandbox.id}`
const change = (payload: object) => send('PATCH', account, payload)
const refusal = { status: 403, code: 'cloud_account_read_only', account_id: sandbox.id }

/** @returns how many calls of AWS changed something, or would have */
const written = async () => (await Promise.all(['UpdateService', 'RegisterTaskDefinition', 'StopServiceDeployment',
  'RegisterScalableTarget', 'UpdateFunctionCode', 'Invoke'].map(aws.calls))).reduce((sum, count) => sum + count, 0)

t.afterEach(() => change({ read_only: false, environment: null }))

t.test('an account says what it is for, and its services, functions, apps and cards repeat it', async (t) => {
  const made = await makeApp(app, 'Shop')
  t.match((await change({ environment: 'production' })).json(), { environment: 'production', read_only: false })
  for (const url of [containers, `${functions}/echo`, `/deployments/apps/${made.id}`]) {
    t.match((await send('GET', url)).json(), { environment: 'production', read_only: false }, url)
  }
  const scale = await planOf(app, 'scaleService', { service: 'web', desired_count: 5 })
  t.equal(scale.summary, 'Scale service web in cluster prod (eu-west-1, account Sandbox, production) from 2 to 5')
  t.match((await planOf(app, 'invokeFunction', { name: 'echo' })).summary, /account Sandbox, production\)$/)
  t.match((await planOf(app, 'deployApp', { app_id: made.id, image: `${registry}/web:2` })).summary, /, production\)$/)
  t.match((await change({ environment: null })).json(), { environment: null })
})

t.test('every write through a read-only account is refused, and nothing is sent', async (t) => {
  const made = await makeApp(app, 'Still')
  await change({ read_only: true })
  const before = await written()
  const writes: [string, object][] = [
    [`${containers}/scale`, { desired_count: 5 }],
    [`${containers}/deploy`, { image: `${registry}/web:9-ok` }],
    [`${containers}/deploy`, { force_new_deployment: true, force: true }],
    [`${functions}/echo/invoke`, { payload: 1 }],
    [`${functions}/pdf-render/deploy`, { image: `${registry}/pdf:2` }],
    [`/deployments/apps/${made.id}/deploy`, { image: `${registry}/web:9-ok` }]
  ]
  for (const [url, body] of writes) t.match((await send('POST', url, body)).json(), refusal, url)
  t.equal(await written(), before)
  t.same((await send('GET', `/deployments/apps/${made.id}/builds`)).json().items, [], 'no build waits for it')
  t.match((await send('GET', `${containers}/deployments`)).json().items, [], 'and no deployment')
})

t.test('what is only read works as before', async (t) => {
  await change({ read_only: true })
  const dry = await send('POST', `${containers}/deploy`, { image: `${registry}/web:9-ok`, dry_run: true })
  t.match([dry.statusCode, dry.json()], [200, { dry_run: true }])
  t.equal((await send('GET', '/infrastructure/containers/clusters')).statusCode, 200)
  const { checks, status } = (await send('POST', `${account}/test`)).json()
  t.equal(status, 'passed')
  const [skipped, ...others] = checks.filter(({ outcome, region }: Record<string, string>) =>
    outcome === 'skipped' && region === 'eu-west-1')
  t.match(skipped, { action: '*', detail: 'The account is read-only here: writes are not tried' })
  t.same(others, [])
})

const call = { type: 'tool_use' as const, name: 'scaleService', input: { service: 'web', desired_count: 7 } }
const words = [{ content: [call] }, { content: [{ type: 'text' as const, text: 'Well.' }] }]

t.test('the assistant learns it, and nobody is asked for what cannot be done', async (t) => {
  await change({ read_only: true })
  const { frames } = await chat(app, { message: scripted(anthropic, words) })
  t.same(framesOf(frames, 'confirmation_required'), [])
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'failed', result: { code: 'cloud_account_read_only' } })
})

t.test('what was asked before the account became read-only is not done when it is approved', async (t) => {
  const before = await written()
  const { frames, session } = await chat(app, { message: scripted(anthropic, words) })
  const { confirmation_id, input_digest } = framesOf(frames, 'confirmation_required')[0]?.data ?? {}
  t.ok(confirmation_id)
  await change({ read_only: true })
  const decided = await confirm(app, { session_id: session, confirmation_id, input_digest, approved: true })
  t.match(decided.json(), { status: 409, code: 'state_changed', detail: /read-only here/ })
  t.equal(await written(), before)
})

t.test('what was asked before the account was called production is asked again', async (t) => {
  const before = await written()
  const { frames, session } = await chat(app, { message: scripted(anthropic, words) })
  const { confirmation_id, input_digest } = framesOf(frames, 'confirmation_required')[0]?.data ?? {}
  await change({ environment: 'production' })
  const decided = await confirm(app, { session_id: session, confirmation_id, input_digest, approved: true })
  t.match(decided.json(), {
    status: 409,
    code: 'state_changed',
    confirmation: { target: { within: { environment: 'production' } }, summary: /account Sandbox, production\)/ }
  })
  t.equal(await written(), before)
})

t.test('a rollout that had begun is watched to its true end, and a cancel of it is refused', async (t) => {
  const started = (await send('POST', `${containers}/deploy`, { image: `${registry}/web:5-ok`, force: true })).json()
  await advanceDeployment(app, app.home.workspace_id, started.id)
  const before = await written()
  await change({ read_only: true })
  const url = `${containers}/deployments/${started.id}`
  t.match((await send('POST', `${url}/cancel`)).json(), refusal)
  const ended = await until(async () => {
    await aws.advance(5_000)
    await advanceDeployment(app, app.home.workspace_id, started.id)
    const row = (await send('GET', url)).json()
    return row.finished_at && row
  })
  t.match(ended, { status: 'succeeded' })
  t.equal(await written(), before, 'nothing more was sent')
})

t.test('a deployment that was not sent yet ends, and says why', async (t) => {
  const started = (await send('POST', `${containers}/deploy`, { image: `${registry}/web:6-ok`, force: true })).json()
  await change({ read_only: true })
  const before = await written()
  await advanceDeployment(app, app.home.workspace_id, started.id)
  t.match((await send('GET', `${containers}/deployments/${started.id}`)).json(),
    { status: 'failed', status_reason: /read-only here/ })
  t.equal(await written(), before)
})

t.test('a name of an environment that is none is refused with a pointer', async (t) => {
  for (const environment of ['', 'Production', 'a b', '-x', 'x'.repeat(31), 7]) {
    const answer = await change({ environment })
    t.match(answer.json(), { status: 400, code: 'invalid_request', errors: [{ pointer: '/environment' }] })
  }
  t.match((await change({ read_only: 'yes' })).json(), { errors: [{ pointer: '/read_only' }] })
  t.match((await send('GET', account)).json(), { environment: null, read_only: false })
})
