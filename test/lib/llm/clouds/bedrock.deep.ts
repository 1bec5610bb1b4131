import t from '../../../tap.js'
import { asAdmin } from '../../../app.js'
import { framesOf, textOf } from '../../../chat.js'
import {
  broken, busy, failing, limited, readCall, answering, setEnvironment, speech, startCloudApp, startSandbox
} from './cloud.js'
import { inStream, part, tryCancel, tryEndings, tryModels, tryRepeats } from './faults.js'

const anthropic = await startSandbox(t)
const { keys } = anthropic.control
setEnvironment(t, { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${anthropic.url}/aws/credentials` })
const first = 'us.anthropic.claude-sonnet-5-5-v1:0'
const second = 'anthropic.claude-haiku-5-5-v1:0'
const bedrock = {
  MODEL_PROVIDER: 'bedrock', AWS_REGION: 'eu-west-1', ANTHROPIC_BASE_URL: anthropic.url, ANTHROPIC_MODEL: first
}
const world = await startCloudApp(t, anthropic, bedrock)
const { app, say } = world
const cloud = { name: 'Bedrock', anthropic, ...world }
const pathOf = (model: string) => `/model/${model}/invoke-with-response-stream`
t.afterEach(() => anthropic.control.reset())

// The first answer of a process is slow, which is not what is tested here.
await say([speech])

t.test('a chat with a tool call goes through signed requests and frames of AWS', async (t) => {
  const reply = await say([{ content: [{ type: 'thinking', thinking: 'Zürich' }, readCall] }, speech])
  t.equal(textOf(reply.frames), 'Grüße, 12 services are fine 🚀.')
  t.match(framesOf(reply.frames, 'tool_result')[0]?.data, { status: 'succeeded' })
  t.same(reply.asked.map(({ path, status }) => [path, status]), [[pathOf(first), 200], [pathOf(first), 200]])
  const [one] = reply.bodies
  t.same(Object.keys(one ?? {}).toSorted(), ['anthropic_version', 'max_tokens', 'messages', 'system', 'tools'],
    'no automatic breakpoint, no betas, and the model is in the path')
  t.notOk(JSON.stringify(one).includes('defer_loading'), 'Steward searches the tools')
  t.ok((one?.tools as { name: string }[]).some(({ name }) => name === 'findTools'))
  const last = (one?.messages as { content: object[] }[]).at(-1)?.content.at(-1)
  t.match(last, { cache_control: { type: 'ephemeral' } }, 'the end of the conversation is cached')
})

t.test('what was charged is recorded at the price of the plain name, with AWS\'s name of the request', async (t) => {
  const usage = { input_tokens: 1_000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const { run, asked } = await say([{ ...speech, usage }])
  const rows = await app.db.selectFrom('agent_usage')
    .select(['model', 'cost_usd_micros', 'provider_request_id', 'estimated']).where('run_id', '=', run).execute()
  t.same(rows, [{
    model: 'claude-sonnet-5-5',
    cost_usd_micros: 1_000 * 3 + 10 * 15,
    provider_request_id: asked[0]?.request_id,
    estimated: false
  }])
})

tryRepeats(t, cloud, [
  ['is not available', { kind: 'http_error', status: 503 }, [busy]],
  ['throttles us', { kind: 'http_error', status: 429 }, [limited]],
  ['is over a quota of the account', { kind: 'http_error', status: 400, error_type: 'ServiceQuotaExceededException' },
    [limited]],
  ['fails', { kind: 'http_error', status: 500 }, [failing]],
  ['has a model that fails', { kind: 'http_error', status: 424 }, [failing]],
  ['has a model that is not in time', { kind: 'http_error', status: 408 }, [failing]],
  ['throttles within the stream', inStream('throttlingException'), [part, limited, 'reset']],
  ['is not available any more', inStream('serviceUnavailableException'), [part, busy, 'reset']],
  ['has an exception of the model', inStream('modelStreamErrorException'), [part, broken, 'reset']],
  ['has an exception of its own', inStream('internalServerException'), [part, broken, 'reset']],
  ['has a model that stops in time', inStream('modelTimeoutException'), [part, broken, 'reset']]
])

tryEndings(t, cloud, [
  ['refuses credentials', { kind: 'http_error', status: 401 }, 'model_auth'],
  ['refuses the action', { kind: 'http_error', status: 403, message: 'User is not authorized to perform: bedrock' },
    'model_auth'],
  ['wants a profile', {
    kind: 'http_error',
    status: 400,
    message: 'Invocation of model ID x with on-demand throughput isn’t supported.'
  }, 'model_unknown'],
  ['refuses the request', { kind: 'http_error', status: 400, message: 'messages: too odd' }, 'model_bad_request'],
  ['refuses in the stream', inStream('validationException'), 'model_bad_request'],
  ['refuses the effort', { kind: 'http_error', status: 400, message: 'output_config.effort: not supported' },
    'model_effort_refused']
])

t.test('a model that the account has no access to is reported so, once', async (t) => {
  keys.disabled.add('claude-sonnet-5-5')
  const { frames, asked } = await say([speech])
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_unknown', fatal: true })
  t.equal(asked.length, 1)
})

t.test('a conversation that is too long is known as such, in the words that Bedrock quotes', async (t) => {
  anthropic.control.fault({
    kind: 'http_error',
    status: 400,
    message: 'The model returned the following errors: prompt is too long: 950000 tokens > 150000 maximum'
  })
  const { frames } = await say([speech])
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_context_exceeded', fatal: true })
  t.equal(app.llm.installed.windowOf(first), 150_000, 'the window is learnt')
})

t.test('credentials that expire before their time are fetched anew, once, and nobody notices', async (t) => {
  await say([speech])
  keys.expire()
  const { frames, asked } = await say([speech])
  t.same(framesOf(frames, 'error'), [])
  t.same(asked.map(({ status }) => status), [403, 200])
  t.notOk(JSON.stringify(anthropic.control.requests()).includes('AWS4-HMAC'))
})

tryCancel(t, cloud)

tryModels(t, cloud, first)

t.test('effort and thinking are sent in the body', async (t) => {
  const { session } = await say([speech])
  const payload = { effort: 'high', thinking: 'adaptive' }
  const url = `/api/v1/agent/sessions/${session}`
  const changed = await app.inject({ method: 'PATCH', url, headers: asAdmin, payload })
  t.equal(changed.statusCode, 200)
  const { bodies, frames } = await say([speech], { session_id: session })
  t.match(bodies[0], { output_config: { effort: 'high' }, thinking: { type: 'adaptive' } })
  t.equal(textOf(frames), 'Grüße, 12 services are fine 🚀.')
})

t.test('the second model goes on while the first is overloaded; the small one writes titles', async (t) => {
  const two = await startCloudApp(t, anthropic,
    { ...bedrock, ANTHROPIC_FALLBACK_MODEL: second, ANTHROPIC_SMALL_MODEL: second })
  anthropic.control.fault({ kind: 'http_error', status: 503, times: 4 })
  const { frames, asked } = await two.say([answering('From the second.')])
  t.same(asked.filter(({ status }) => status === 503).map(({ path }) => path), Array(4).fill(pathOf(first)))
  t.equal(asked.find(({ status }) => status === 200)?.path, pathOf(second))
  t.match(framesOf(frames, 'model_changed').map(({ data }) => data),
    [{ from: first, to: second, reason: 'overloaded' }])
  t.equal(textOf(frames), 'From the second.')
})

t.test('a key of Bedrock is sent instead of a signature; that of a workspace goes before it', async (t) => {
  const own = await startCloudApp(t, anthropic, { ...bedrock, AWS_BEARER_TOKEN_BEDROCK: keys.bedrock })
  t.equal(textOf((await own.say([speech])).frames), 'Grüße, 12 services are fine 🚀.')
  const changed = await own.app.inject({
    method: 'PATCH',
    url: `/account/workspaces/${own.app.home.workspace_id}`,
    headers: asAdmin,
    payload: { settings: { model_api_key: 'wrong-key-of-a-workspace' } }
  })
  t.equal(changed.statusCode, 200)
  const { frames } = await own.say([speech])
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_auth', fatal: true })
})

t.test('a wrong secret and missing credentials end a run at once, unlike a broken connection', async (t) => {
  setEnvironment(t, { AWS_ACCESS_KEY_ID: keys.aws.accessKeyId, AWS_SECRET_ACCESS_KEY: 'not-the-secret' })
  const wrong = await startCloudApp(t, anthropic, bedrock)
  const refused = await wrong.say([speech])
  t.match(framesOf(refused.frames, 'error').map(({ data }) => data), [{ code: 'model_auth', fatal: true }])
  setEnvironment(t, { AWS_SHARED_CREDENTIALS_FILE: '/nonexistent', AWS_CONFIG_FILE: '/nonexistent' })
  const none = await startCloudApp(t, anthropic, bedrock)
  const missing = await none.say([speech])
  t.match(framesOf(missing.frames, 'error').map(({ data }) => data), [{
    code: 'model_auth', fatal: true, message: 'This server finds no credentials for AWS that are valid.'
  }])
  t.same(missing.asked, [])
})
