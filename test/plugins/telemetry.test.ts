import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, scripted, startChatApp, until } from '../chat.js'
import { lastId, say, serviceId, wantsToScale, askedIn } from '../flows/asking.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import { actor, makeSession } from '../routes/pse/actors.js'

const canary = 'canary-7f3a9c'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number }
  attributes: { key: string, value: Record<string, unknown> }[]
}

const received: string[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => { body += piece.toString() })
  request.on('end', () => {
    if (request.url === '/v1/traces') received.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((resolve) => { receiver.listen(0, '127.0.0.1', resolve) })
t.teardown(() => receiver.close())
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const steward = await startChatApp(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const scrape = async (headers: Record<string, string> = asAdmin) =>
  (await app.inject({ url: '/metrics', headers })).payload
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

let generationId = ''

/** A run is counted when its process has let go of it, which is after its stream has ended. */
const scrapedWith = (series: string) => until(async () => {
  const text = await scrape()
  return (valueOf(text, series) ?? 0) > 0 && text
})

t.test('a run with an approval is counted, step by step', async (t) => {
  const message = `${scripted(anthropic, [wantsToScale([web, 4]), say(`All of ${canary} is done.`)])} ${canary}`
  const asked = await chat(app, { message })
  const waiting = await scrapedWith('steward_runs_total{status="awaiting_confirmation"}')
  t.equal(valueOf(waiting, 'steward_approvals_pending'), 1)
  t.equal(valueOf(waiting, 'steward_runs_total{status="awaiting_confirmation"}'), 1)
  const [question] = askedIn(asked.frames)
  const { session_id, confirmation_id } = question ?? {}
  await confirm(app, { session_id, confirmation_id, approved: true, reason: canary })
  await follow(app, asked.session, lastId(asked.frames))
  const text = await scrapedWith('steward_runs_total{status="completed"}')
  const model = app.config.ANTHROPIC_MODEL
  const expected: [string, number][] = [
    ['steward_approvals_pending', 0],
    // It showed what the scrape before had found.
    ['steward_approvals_oldest_pending_seconds', 0],
    ['steward_approvals_total{outcome="approved"}', 1],
    ['steward_approval_wait_seconds_count{outcome="approved"}', 1],
    [`steward_model_call_seconds_count{model="${model}",outcome="ok"}`, 2],
    [`steward_model_first_token_seconds_count{model="${model}"}`, 2],
    ['steward_runs_total{status="completed"}', 1],
    ['steward_run_steps_sum', 2],
    ['steward_run_takeovers_total', 0],
    ['steward_tool_call_seconds_count{tool="scaleService",effect="write",status="succeeded"}', 1],
    ['steward_request_seconds_count{operation="chat",status="200"}', 1],
    ['steward_publications_overdue', 0],
    ['steward_streams_open', 0]
  ]
  t.same(expected.map(([series]) => [series, valueOf(text, series)]), expected)
  t.ok((valueOf(text, `steward_model_tokens_total{model="${model}",kind="output"}`) ?? 0) > 0)
  t.ok(valueOf(text, 'steward_database_connections{state="idle"}') !== undefined)
  t.notMatch(text, canary)
})

t.test('what is measured by a timer is measured from the first reading on', async (t) => {
  await scrape()
  t.ok(valueOf(await scrape(), 'nodejs_eventloop_lag_p99_seconds') !== undefined)
})

t.test('what alerts look at is there before it happens: a series that begins with 1 has no increase', async (t) => {
  const text = await scrape()
  const begun = [
    'steward_unknown_writes_total{tool="scaleService"}',
    'steward_runs_total{status="failed"}',
    'steward_approvals_total{outcome="rejected"}',
    `steward_model_cost_usd_total{model="${app.config.ANTHROPIC_MODEL}"}`,
    'steward_run_takeovers_total'
  ]
  t.same(begun.filter((series) => valueOf(text, series) === undefined), [])
  t.equal(valueOf(text, 'steward_unknown_writes_total{tool="scaleService"}'), 0)
})

t.test('the dashboard, the alerts and the page on metrics name what there is', async (t) => {
  const alerts = /\nAlert on:\n[^]*?\n## /.exec(readFileSync('docs/operating.md', 'utf8'))?.[0] ?? ''
  const texts = [
    readFileSync('deploy/grafana/steward.json', 'utf8'), readFileSync('docs/observability.md', 'utf8'), alerts
  ].map((text) => new Set(text.match(/\b(steward|nodejs|process)_[a-z0-9_]+/g)))
  t.same(texts.map(({ size }) => size > 5), [true, true, true])
  const names = new Set(texts.flatMap((found) => [...found]))
  const text = await scrape()
  const there = (name: string) =>
    [name, name.replace(/_(bucket|count|sum)$/, '')].some((one) => text.includes(`# TYPE ${one} `))
  t.same([...names].filter((name) => !there(name)), [])
})

t.test('the model calls of a generation are counted, with what they cost', async (t) => {
  const cost = async () => valueOf(await scrape(), `steward_model_cost_usd_total{model="${app.config.ANTHROPIC_MODEL}"}`) ?? 0
  const before = await cost()
  const session = await makeSession(app, `The door must open within 5 seconds. The ${canary} must glow.`)
  const made = await actor(app).post(`${session.path}/generate`, { engine: 'model' })
  t.equal(made.statusCode, 200)
  const { items: [generation] } = await actor(app).json(`${session.path}/generations`)
  generationId = generation.generation_id
  t.ok(Number(generation.usage.cost.amount) > 0)
  t.equal((await cost() - before).toFixed(6), generation.usage.cost.amount)
})

t.test('metrics are an admin\'s to read', async (t) => {
  const member = await makePerson(app, 'Member', 'member')
  const narrow = await makeToken(app, asAdmin, ['agent:read'])
  const scraper = await makeToken(app, asAdmin, ['account:read'])
  const status = async (headers: Record<string, string>) => (await app.inject({ url: '/metrics', headers })).statusCode
  t.same(await Promise.all([{}, member.headers, narrow.headers, scraper.headers].map(status)), [401, 403, 403, 200])
})

t.test('spans name what happened by GenAI\'s conventions, in one trace a run, without its texts', async (t) => {
  await app.close()
  const spans = received.flatMap((body) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
  const attributesOf = (span: Span | undefined) =>
    Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
  const runs = spans.filter(({ name }) => name === 'invoke_agent steward')
  t.equal(runs.length, 2, 'up to the question, and after the answer')
  const [first, second] = runs
  t.equal(first?.traceId, second?.traceId)
  const attributes = attributesOf(second)
  t.match(attributes, {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.agent.name': 'steward',
    'gen_ai.request.model': app.config.ANTHROPIC_MODEL,
    'steward.run.status': 'completed'
  })
  t.equal(String(attributes['steward.run.id']).replaceAll('-', ''), first?.traceId)
  const models = spans.filter(({ name }) => name === `chat ${app.config.ANTHROPIC_MODEL}`)
  const called = models.filter(({ traceId }) => traceId === first?.traceId)
  t.same(called.map(({ parentSpanId }) => parentSpanId), [first?.spanId, second?.spanId])
  t.match(attributesOf(called[0]), {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': app.config.ANTHROPIC_MODEL,
    'gen_ai.request.stream': true,
    'gen_ai.conversation.id': attributes['gen_ai.conversation.id']
  })
  const usage = attributesOf(called[0])
  t.equal(Number(usage['gen_ai.usage.input_tokens']) >= Number(usage['gen_ai.usage.cache_creation.input_tokens']) &&
    Number(usage['gen_ai.usage.cache_creation.input_tokens']) > 0, true, 'the input has what the cache took')
  const ofGeneration = models.filter(({ traceId }) => traceId === generationId.replaceAll('-', ''))
  t.ok(ofGeneration.length > 1)
  t.equal(called.length + ofGeneration.length, models.length)
  t.equal(attributesOf(ofGeneration[0])['steward.generation.id'], generationId)
  const tool = spans.find(({ name }) => name === 'execute_tool scaleService')
  t.equal(tool?.parentSpanId, second?.spanId)
  t.match(attributesOf(tool), { 'gen_ai.tool.name': 'scaleService', 'steward.tool.status': 'succeeded' })
  const scaled = spans.find(({ name }) => name === 'POST /infrastructure/containers/services/:service/scale')
  t.equal(scaled?.parentSpanId, second?.spanId, 'what a tool asks of us is in the run\'s trace')
  t.same(spans.filter(({ name }) => name === 'GET /metrics'), [], 'probes make no spans')
  const decided = spans.find(({ name }) => name === 'POST /api/v1/agent/confirm')
  t.equal(attributesOf(decided)['steward.run.id'], attributes['steward.run.id'])
  const request = spans.find(({ name }) => name === 'POST /api/v1/agent/chat')
  t.match(attributesOf(request), { 'steward.operation.id': 'chat', 'steward.run.id': attributes['steward.run.id'] })
  t.notMatch(received.join('\n'), canary)
})
