import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type Prometheus from 'prom-client'
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { readPending } from '../db/agent/runs.js'
import { countOverdue } from '../db/content/publications.js'
import type { TelemetryEvent } from '../lib/telemetry/events.js'

const seconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const ages = [5, 15, 60, 300, 900, 3_600, 14_400, 86_400]

/** Between two measurements of the event loop. Each 10 ms, as is usual, is more than all else that an idle one does. */
const loopMs = 50

const makeSeries = ({ Counter, Histogram }: typeof Prometheus, registers: Registry[]) => {
  const count = (name: string, help: string, labelNames: string[] = []): Counter =>
    new Counter({ name: `steward_${name}`, help, labelNames, registers })
  const spread = (name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram =>
    new Histogram({ name: `steward_${name}`, help, buckets, labelNames, registers })
  return {
    firstToken: spread('model_first_token_seconds', 'From a model call to its first text', seconds, ['model']),
    modelCall: spread('model_call_seconds', 'Model calls', seconds, ['model', 'outcome']),
    tokens: count('model_tokens_total', 'Tokens of model calls', ['model', 'kind']),
    cost: count('model_cost_usd_total', 'What model calls cost, in US dollars', ['model']),
    runs: count('runs_total', 'Runs that ended or were left waiting here', ['status']),
    steps: spread('run_steps', 'Model calls of a run that ended', [0, 1, 2, 3, 5, 8, 13, 25]),
    takeovers: count('run_takeovers_total', 'Runs taken over from a process that stopped renewing its lease'),
    toolCall: spread('tool_call_seconds', 'Calls of tools', seconds, ['tool', 'effect', 'status']),
    unknown: count('unknown_writes_total', 'Writes that were sent and whose outcome is unknown', ['tool']),
    approvals: count('approvals_total', 'Approvals by how they ended', ['outcome']),
    approvalAge: spread('approval_wait_seconds', 'How long approvals waited for a decision', ages, ['outcome']),
    requests: spread('request_seconds', 'Requests, to the end of their answer', seconds, ['operation', 'status'])
  }
}
type Series = ReturnType<typeof makeSeries>

const countModelCall = (series: Series, event: TelemetryEvent & { type: 'model_call' }) => {
  const { model, usage } = event
  series.modelCall.observe({ model, outcome: event.error ?? 'ok' }, event.ms / 1_000)
  if (event.first_token_ms !== null) series.firstToken.observe({ model }, event.first_token_ms / 1_000)
  if (!usage) return
  series.tokens.inc({ model, kind: 'input' }, usage.input_tokens)
  series.tokens.inc({ model, kind: 'output' }, usage.output_tokens)
  series.tokens.inc({ model, kind: 'cache_read' }, usage.cache_read_tokens)
  series.tokens.inc({ model, kind: 'cache_write' }, usage.cache_write_tokens)
  series.cost.inc({ model }, event.cost_usd_micros / 1_000_000)
}

const ended = new Set(['completed', 'failed', 'cancelled', 'expired'])

const count = (series: Series, event: TelemetryEvent): void => {
  if (event.type === 'model_call') countModelCall(series, event)
  else if (event.type === 'tool_call') {
    const { name: tool, effect, status } = event
    series.toolCall.observe({ tool, effect, status }, event.ms / 1_000)
    if (status === 'unknown') series.unknown.inc({ tool })
  } else if (event.type === 'run_started') series.takeovers.inc(event.taken_over ? 1 : 0)
  else if (event.type === 'run_left') {
    series.runs.inc({ status: event.status })
    if (ended.has(event.status)) series.steps.observe(event.model_calls)
  } else if (event.type === 'approval') {
    series.approvals.inc({ outcome: event.outcome })
    if (event.waited_ms !== null) series.approvalAge.observe({ outcome: event.outcome }, event.waited_ms / 1_000)
  } else series.requests.observe({ operation: event.operation ?? 'none', status: event.status }, event.ms / 1_000)
}

/** A series that is born with its first event has no increase for Prometheus: what alerts look at begins at 0. */
const beginAtZero = (app: FastifyInstance, series: Series): void => {
  for (const tool of app.tools.writes()) series.unknown.inc({ tool }, 0)
  for (const status of ended) series.runs.inc({ status }, 0)
  for (const outcome of ['approved', 'rejected', 'expired', 'closed']) series.approvals.inc({ outcome }, 0)
  series.cost.inc({ model: app.config.ANTHROPIC_MODEL }, 0)
}

/** What is read at each scrape, not counted as it happens. */
const addGauges = (app: FastifyInstance, { Gauge }: typeof Prometheus, registers: Registry[]): void => {
  type Collect = (this: Gauge) => void | Promise<void>
  const gauge = (name: string, help: string, collect: Collect, labelNames: string[] = []) =>
    new Gauge({ name: `steward_${name}`, help, labelNames, registers, collect })
  gauge('streams_open', 'Event streams open on this instance', function () { this.set(app.openStreams.total) })
  gauge('database_connections', 'Connections of the pool', function () {
    const { totalCount, idleCount, waitingCount } = app.database.pool
    this.set({ state: 'used' }, totalCount - idleCount)
    this.set({ state: 'idle' }, idleCount)
    this.set({ state: 'waited_for' }, waitingCount)
  }, ['state'])
  gauge('approvals_pending', 'Approvals that wait, in the database',
    async function () { this.set((await readPending(app.db)).count) })
  // Looked up for itself: a gauge that another one sets shows what that one saw at the scrape before.
  gauge('approvals_oldest_pending_seconds', 'Age of the oldest approval that waits, in the database',
    async function () { this.set((await readPending(app.db)).oldest_s) })
  gauge('publications_overdue', 'Publications that are due for two minutes and not begun, in the database',
    async function () { this.set(await countOverdue(app.db)) })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Everything counted, in Prometheus' text format; undefined when nothing is. */
    metrics: { contentType: string, read: () => Promise<string> } | undefined
  }
}

/** Counts the events of telemetry. With METRICS=off nothing is loaded. */
export default fp(async (app) => {
  const { METRICS } = app.config
  if (METRICS === 'off') {
    app.decorate('metrics', undefined)
    return
  }
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  let isWatched = false
  // Memory, CPU, garbage collection and the delay of the event loop: no timer measures it where they are not read.
  const watchProcess = () => {
    isWatched = true
    prometheus.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopMs })
  }
  app.decorate('metrics', {
    contentType: registry.contentType,
    read: async () => {
      const text = await registry.metrics()
      // Not for the many instances of tests.
      if (!isWatched && app.server.listening) watchProcess()
      return text
    }
  })
  const series = makeSeries(prometheus, [registry])
  app.telemetry.listen((event) => count(series, event))
  app.addHook('onReady', async () => addGauges(app, prometheus, [registry]))
  app.addHook('onListen', async () => beginAtZero(app, series))
}, { name: 'metrics', dependencies: ['config'] })
