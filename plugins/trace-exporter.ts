import { randomBytes } from 'node:crypto'
import {
  context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Context, type Span
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type IdGenerator } from '@opentelemetry/sdk-trace-base'
import type { Fact, ModelCallFact, RequestFact, RunLeftFact, ToolCallFact } from './telemetry.js'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** All that is done for a run is one trace, on whatever instance: its id is the run's. */
class RunIds implements IdGenerator {
  next: string | undefined
  generateTraceId = (): string => this.next ?? hex(16)
  generateSpanId = (): string => hex(8)
}

const traceOf = (runId: string): string => runId.replaceAll('-', '')

/** @returns the context that a caller sent in W3C's header, or none */
const callerContext = (traceparent: string | undefined): Context => {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '00', 16) & 1 ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

const modelAttributes = (fact: ModelCallFact): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': fact.model,
  'gen_ai.conversation.id': fact.session_id,
  ...(fact.stop_reason === null ? {} : { 'gen_ai.response.finish_reasons': [fact.stop_reason] }),
  ...(fact.first_token_ms === null ? {} : { 'gen_ai.response.time_to_first_chunk': fact.first_token_ms / 1_000 }),
  ...(fact.usage === null
    ? {}
    : {
        'gen_ai.usage.input_tokens': fact.usage.input_tokens,
        'gen_ai.usage.output_tokens': fact.usage.output_tokens,
        'gen_ai.usage.cache_read.input_tokens': fact.usage.cache_read_tokens,
        'gen_ai.usage.cache_creation.input_tokens': fact.usage.cache_write_tokens
      }),
  'steward.run.id': fact.run_id,
  'steward.cost_usd': fact.cost_usd_micros / 1_000_000
})

const toolAttributes = (fact: ToolCallFact): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': fact.name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': fact.tool_call_id,
  'gen_ai.conversation.id': fact.session_id,
  'steward.run.id': fact.run_id,
  'steward.tool.effect': fact.effect,
  'steward.tool.status': fact.status
})

const requestAttributes = (fact: RequestFact): Attributes => ({
  'http.request.method': fact.method,
  'http.route': fact.route,
  'http.response.status_code': fact.status,
  'steward.request.id': fact.request_id,
  ...(fact.operation === undefined ? {} : { 'steward.operation.id': fact.operation }),
  ...(fact.run_id === undefined ? {} : { 'steward.run.id': fact.run_id })
})

const runAttributes = (fact: RunLeftFact): Attributes => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'steward',
  'gen_ai.conversation.id': fact.session_id,
  'steward.run.id': fact.run_id,
  'steward.run.status': fact.status
})

interface Timed { started_at: number, ms: number }

/** Makes spans of what has happened, when it is over: nothing of them is on the way. */
class Traces {
  readonly #ids = new RunIds()
  readonly #provider: BasicTracerProvider
  readonly #runs = new Map<string, Span>()

  constructor (endpoint: string) {
    const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'steward', 'service.version': '0.1.0' }),
      idGenerator: this.#ids,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))]
    })
  }

  record (fact: Fact): void {
    if (fact.type === 'run_started') this.#runs.set(fact.run_id, this.#start('invoke_agent steward', fact.run_id))
    else if (fact.type === 'run_left') this.#endRun(fact)
    else if (fact.type === 'model_call') {
      this.#span(`chat ${fact.model}`, fact, SpanKind.CLIENT, modelAttributes(fact), this.#under(fact.run_id),
        fact.error)
    } else if (fact.type === 'tool_call') {
      const error = fact.status === 'succeeded' ? null : fact.status
      this.#span(`execute_tool ${fact.name}`, fact, SpanKind.INTERNAL, toolAttributes(fact), this.#under(fact.run_id),
        error)
    } else if (fact.type === 'request') {
      const error = fact.status >= 500 ? String(fact.status) : null
      this.#span(`${fact.method} ${fact.route}`, fact, SpanKind.SERVER, requestAttributes(fact),
        callerContext(fact.traceparent), error)
    }
  }

  close (): Promise<void> {
    return this.#provider.shutdown()
  }

  #start (name: string, runId: string): Span {
    this.#ids.next = traceOf(runId)
    const span = this.#provider.getTracer('steward').startSpan(name, { root: true })
    this.#ids.next = undefined
    return span
  }

  #under (runId: string): Context {
    const run = this.#runs.get(runId)
    return run ? trace.setSpan(ROOT_CONTEXT, run) : context.active()
  }

  #endRun (fact: RunLeftFact): void {
    const span = this.#runs.get(fact.run_id)
    this.#runs.delete(fact.run_id)
    span?.setAttributes(runAttributes(fact))
    if (fact.status === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  #span (name: string, times: Timed, kind: SpanKind, attributes: Attributes, parent: Context, error: string | null) {
    const { started_at: startTime, ms } = times
    const failure = error === null ? {} : { 'error.type': error }
    const options = { kind, startTime, attributes: { ...attributes, ...failure } }
    const span = this.#provider.getTracer('steward').startSpan(name, options, parent)
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(startTime + ms)
  }
}

export const openTraces = (endpoint: string): Traces => new Traces(endpoint)
