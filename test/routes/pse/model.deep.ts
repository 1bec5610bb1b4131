import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { framesOf, parseFrames, startChatApp } from '../../chat.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, makeSession } from './actors.js'

const oneForAllInput = { input: 2, cache_read: 2, cache_write: 2, cache_write_5m: 2, output: 7 }
const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ model_retry_base_ms: 1 }),
  MODEL_PRICES: JSON.stringify({ 'sandbox-model': oneForAllInput, 'priced-but-unknown': oneForAllInput })
})
const { json } = actor(app)
/** Waits for the end of the generation, however busy the machine is. */
const post = (path: string, body: object = {}, more: Record<string, string> = {}) =>
  actor(app).post(path, body, { prefer: 'wait=60', ...more })
const { control } = anthropic
t.afterEach(() => control.reset())

const text = 'The door must open within 5 seconds.\n\nThe lamp must glow.'
const content = (value: unknown) => [{ type: 'text' as const, text: JSON.stringify(value) }]
/** The number of the model requests of generations. */
const modelRequests = () => control.requests('Task: ').length

t.test('auto uses the configured model: citations are proven, and each step\'s usage is sent and stored', async (t) => {
  const { path } = await makeSession(app, brief)
  const answer = await post(`${path}/generate`, {}, { accept: 'text/event-stream' })
  const frames = parseFrames(answer.payload)
  t.equal(frames[0]?.event, 'generation_queued')
  t.match(frames.at(-1), { event: 'generation_succeeded', data: { version: 1 } })
  t.match(framesOf(frames, 'generation_started')[0]?.data, { engine: 'model', mode: 'full' })
  const { items: [generation] } = await json(`${path}/generations`)
  t.match(generation, {
    engine: 'model',
    model: 'claude-sonnet-5-5',
    status: 'succeeded',
    warnings: [],
    error: null,
    budget: { max_cost_usd: '5.000000', max_output_tokens: 200_000, max_seconds: 1_800, max_repair_rounds: 2 },
    estimate: { cost: { currency: 'USD' }, estimated: true }
  })
  t.equal(generation.usage.model_calls, modelRequests(), 'every call is counted')
  t.ok(Number(generation.usage.cost.amount) > 0 && generation.usage.cache_read_tokens > 0)
  const sent = framesOf(frames, 'step_completed').map(({ data }) => [data.step, data.model_calls, data.output_tokens])
  const kept = generation.steps.map((step: Record<string, unknown>) => [step.key, step.model_calls, step.output_tokens])
  t.same(new Map(sent as [string, unknown][]), new Map(kept.filter(([key]: string[]) => key !== 'store')))
  const { document, checks } = await json(`${path}/versions/1`)
  t.match(document.engine, { name: 'anthropic', model: 'claude-sonnet-5-5' })
  t.ok(document.requirements.length > 5)
  t.equal(checks.coverage.requirements_cited_pct, 100)
  t.match((await json(path)).totals, { generations: 1, cost: generation.usage.cost })
})

const demand = (sentences: number[], statement: string) => ({
  sentences, title: 'T', statement, kind: 'functional', level: 'MUST', verification: 'test', acceptance: [], story: 0
})
const scriptPart = (requirements: object[]) => control.script({
  turns: [{ content: content({ requirements, stories: [], notes: [], questions: [] }) }], match: { text: 'Task: read this part' }
})

t.test('5: a sentence that is not there backs no requirement, and a number that its sentence lacks is shown', async (t) => {
  const { path, id } = await makeSession(app, text)
  scriptPart([demand([1], 'The door SHALL open within 5 seconds.'), demand([9], 'The bell SHALL ring.'),
    demand([2], 'The lamp SHALL glow for 9 hours.')])
  const { spec, generation } = (await post(`${path}/generate`, { engine: 'model' })).json()
  t.match(spec, { session_id: id, origin: 'generated' })
  t.same(spec.document.requirements.map((one: { statement: string, citations: { match: string }[] }) =>
    [one.statement, one.citations.map(({ match }) => match)]),
  [['The door SHALL open within 5 seconds.', ['exact']], ['The lamp SHALL glow for 9 hours.', ['exact']]])
  const found = spec.checks.findings.filter((one: { rule_id: string }) => /^PSE30[48]$/.test(one.rule_id))
  t.match(found, [
    { rule_id: 'PSE304', severity: 'warn', target: 'FR-002', message: '9 h stands neither in its quotes nor in an answer' },
    { rule_id: 'PSE308', severity: 'warn', target: 'FR-002', message: /Its sentences do not say 9 h/ }
  ])
  t.same(generation.warnings, ['An item of the model\'s answer was dropped: part:1: requirements[1]: names 9, which was not shown'])
})

t.test('a requirement of the model has the priority and the ids that its source states', async (t) => {
  const source = `# Doors

## P0

- D-1: The door must open within 5 seconds.

## P2

- D-2: The lamp must glow.
- The bell must ring.
`
  const { path } = await makeSession(app, source)
  // Titles have numbers too: "Doors", "P0", D-1, "P2", D-2 and the bell.
  scriptPart([demand([5], 'The lamp SHALL glow.'), demand([6], 'The bell SHALL ring.'),
    demand([3], 'The door SHALL open within 5 seconds.')])
  const { spec } = (await post(`${path}/generate`, { engine: 'model' })).json()
  t.same(spec.document.requirements.map((one: { statement: string, priority: string, source_ids?: string[] }) =>
    [one.statement, one.priority, one.source_ids]), [
    ['The door SHALL open within 5 seconds.', 'P1', ['D-1']],
    ['The lamp SHALL glow.', 'P3', ['D-2']],
    ['The bell SHALL ring.', 'P3', undefined]
  ])
})

t.test('6: a refusal fails the only part, and with it the generation; the next one asks again', async (t) => {
  const { path } = await makeSession(app, text)
  control.script({
    turns: [{ content: [{ type: 'text', text: '{"requirements":[' }], stop_reason: 'refusal' }], match: { text: 'Task: read this part' }
  })
  const failed = await post(`${path}/generate`)
  t.match(failed.json(), { generation: { engine: 'model', status: 'failed', error: { code: 'model_refused' } }, spec: null })
  t.equal((await json(path)).current_version, null, 'the template engine did not replace it')
  const { steps } = failed.json().generation
  t.match(steps, [{ key: 'number', status: 'done' }, { key: 'part:1', status: 'failed', error: { code: 'model_refused' } }])
  t.ok(steps[1].output_tokens > 0, 'the failed attempt is charged')
  const again = parseFrames((await post(`${path}/generate`, {}, { accept: 'text/event-stream' })).payload)
  t.match(again.at(-1), { event: 'generation_succeeded' })
})

t.test('a cut answer is continued; a judge that fails leaves the spec unjudged', async (t) => {
  const { path } = await makeSession(app, text)
  const whole = JSON.stringify(demand([1], 'The door SHALL open within 5 seconds.'))
  control.script({
    turns: [{ content: [{ type: 'text', text: `{"requirements":[${whole},{"sente` }], stop_reason: 'max_tokens' }],
    match: { text: 'Task: read this part' }
  })
  control.script({ turns: [{ content: [{ type: 'text', text: 'no' }], stop_reason: 'refusal' }], match: { text: 'Task: judge' } })
  const { generation, spec } = (await post(`${path}/generate`)).json()
  t.same(spec.document.requirements.map((one: { statement: string }) => one.statement),
    ['The door SHALL open within 5 seconds.', 'The lamp SHALL glow.'])
  t.equal(generation.status, 'succeeded')
  t.match(generation.warnings, ['Part 1 was not judged: The model refused to answer.'])
  t.match(spec.document.requirements[0].support, { verdict: 'partly', why: 'Nobody has compared it with its sentences' })
})

t.test('requests to a busy provider are retried, rejected ones are not', async (t) => {
  const { path } = await makeSession(app, text)
  const fault = { kind: 'http_error' as const, match: { text: 'Task: read this part' } }
  control.fault({ ...fault, status: 429, retry_after_ms: 1 })
  control.fault({ ...fault, status: 529 })
  t.match((await post(`${path}/generate`)).json(), { generation: { status: 'succeeded' } })
  t.equal(control.requests('Task: read this part').length, 3)
  const codes = [[401, 'model_auth'], [529, 'model_overloaded'], [400, 'model_bad_request']] as const
  for (const [status, code] of codes) {
    control.fault({ ...fault, status, times: 3 })
    const { generation } = (await post(`${path}/generate`)).json()
    t.match(generation, { status: 'failed', engine: 'model', error: { code } }, code)
    control.reset()
  }
})

t.test('B17: a budget stops the generation without a version; the next one reuses the finished steps', async (t) => {
  const { path } = await makeSession(app, brief)
  const spend = async (budget: object) => (await post(`${path}/generate`, { budget })).json()
  const stopped = await spend({ max_output_tokens: 1_200 })
  t.match(stopped, { generation: { status: 'budget_exceeded', error: { code: 'budget_exceeded' } }, spec: null })
  t.ok(stopped.generation.usage.output_tokens <= 1_200, 'the cap holds')
  const first = stopped.generation.steps.filter(({ status }: { status: string }) => status === 'done')
  t.ok(first.length > 0)
  t.equal((await json(path)).current_version, null)
  t.match((await spend({ max_cost_usd: '0.01' })).generation, { status: 'budget_exceeded' })
  const before = modelRequests()
  const { generation, spec } = await spend({})
  t.match(generation, { status: 'succeeded' })
  t.equal(spec.version, 1)
  t.equal(generation.usage.model_calls, modelRequests() - before)
  const paid = generation.steps.filter((step: { model_calls: number }) => step.model_calls > 0)
  t.notOk(paid.some(({ key }: { key: string }) => first.some((step: { key: string }) => step.key === key)))
})

t.test('a cap that is nearly used up gives one warning', async (t) => {
  const doors = Array.from({ length: 60 }, (_, at) => `Door ${at} must open.`).join('\n\n')
  const first = await makeSession(app, doors)
  const { output_tokens: used } = (await post(`${first.path}/generate`)).json().generation.usage
  const { path } = await makeSession(app, doors)
  const limit = Math.ceil(used * 1.1)
  const body = { budget: { max_output_tokens: limit } }
  const frames = parseFrames((await post(`${path}/generate`, body, { accept: 'text/event-stream' })).payload)
  t.match(framesOf(frames, 'budget_warning').map(({ data }) => data), [{ cap: 'output_tokens', limit }])
})

t.test('secrets in inputs are masked, unless the session turns that off', async (t) => {
  const secret = `ghp_${'a'.repeat(36)}`
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQ\n'.repeat(900)}-----END PRIVATE KEY-----`
  const input = `${text}\n\nThe token must be ${secret}.\n\n${key}\n`
  const { path } = await makeSession(app, input)
  await post(`${path}/generate`, { instructions: `Use ${secret}` })
  t.ok(modelRequests() > 0)
  t.equal(control.requests(secret).length, 0)
  t.equal(control.requests('MIIEvQ').length, 0, 'a key that spans several chunks is masked too')
  const open = await makeSession(app, input, { options: { redact_secrets: false } })
  await post(`${open.path}/generate`)
  t.ok(control.requests(secret).length > 0)
})

t.test('a dry run estimates the cost without a model request', async (t) => {
  const { path } = await makeSession(app, brief)
  const { generation, spec } = (await post(`${path}/generate`, { dry_run: true, model: 'claude-opus-5' })).json()
  t.match(generation, { generation_id: null, status: null, engine: 'model', model: 'claude-opus-5' })
  t.ok(Number(generation.estimate.cost.amount) > 0 && generation.estimate.model_calls >= 3)
  t.equal(spec, null)
  t.equal(modelRequests(), 0)
  t.same((await json(`${path}/generations`)).items, [])
})

t.test('models and budgets that are not allowed are refused with their pointer', async (t) => {
  const { path } = await makeSession(app, text)
  const bad: [object, number, string, string?][] = [
    [{ engine: 'template', model: 'claude-opus-5' }, 422, 'model_not_used', '/model'],
    [{ budget: { max_cost_usd: '5.01' } }, 422, 'budget_above_limit', '/budget/max_cost_usd'],
    [{ budget: { max_output_tokens: 200_001 } }, 422, 'budget_above_limit', '/budget/max_output_tokens'],
    [{ model: 'house-model' }, 422, 'model_price_unknown', '/model'],
    [{ model: 'house-model', budget: { max_cost_usd: '1' } }, 422, 'model_price_unknown', '/model'],
    [{ budget: { max_repair_rounds: 3 } }, 400, 'invalid_request', '/budget/max_repair_rounds'],
    [{ budget: { max_cost_usd: '-1' } }, 400, 'invalid_request', '/budget/max_cost_usd'],
    [{ model: 'a b' }, 400, 'invalid_request', '/model'],
    [{ instructions: 'x'.repeat(4_001) }, 400, 'invalid_request', '/instructions']
  ]
  for (const [body, status, code, pointer] of bad) {
    t.match((await post(`${path}/generate`, body)).json(), { status, code, errors: [{ pointer }] }, code)
  }
})

t.test('a model with a configured price can be used, and its cost is counted and capped', async (t) => {
  const { path } = await makeSession(app, text)
  const { generation } = (await post(`${path}/generate`, { model: 'sandbox-model' })).json()
  t.match(generation, { status: 'succeeded', budget: { max_cost_usd: '5.000000' }, warnings: [] })
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost } = generation.usage
  const input = input_tokens + cache_read_tokens + cache_write_tokens
  t.equal(cost.amount, ((input * 2 + output_tokens * 7) / 1_000_000).toFixed(6))
})

t.test('a model that the provider does not know fails the generation', async (t) => {
  const { path } = await makeSession(app, text)
  t.match((await post(`${path}/generate`, { model: 'priced-but-unknown' })).json().generation,
    { status: 'failed', error: { code: 'model_unknown' } })
})

t.test('without a configured model auto uses the template engine, and a model is refused', async (t) => {
  const bare = await buildApp(t, { SANDBOX: 'off' })
  const { path } = await makeSession(bare, text)
  const ask = (body: object) => actor(bare).post(`${path}/generate`, body)
  t.match((await ask({ engine: 'model' })).json(), { status: 422, code: 'model_not_configured' })
  t.match((await ask({ model: 'claude-opus-5' })).json(), { status: 422, code: 'model_not_configured' })
  const { generation } = (await ask({ instructions: 'Be brief' })).json()
  t.match(generation, { engine: 'template', model: null, status: 'succeeded', budget: null })
  t.equal(generation.warnings.length, 1)
})

t.test('the sandbox model runs only on request, costs nothing, and gives a warning', async (t) => {
  const sandboxed = await buildApp(t)
  const { path } = await makeSession(sandboxed, text)
  const ask = async (body: object) => (await actor(sandboxed).post(`${path}/generate`, body)).json().generation
  t.match(await ask({}), { engine: 'template' })
  const generation = await ask({ engine: 'model' })
  t.match(generation, { engine: 'model', status: 'succeeded', usage: { cost: { amount: '0.000000' } } })
  t.match(generation.warnings, [/not a language model/])
})
