import { randomBytes } from 'node:crypto'
import {
  ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Context, type Span
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type IdGenerator } from '@opentelemetry/sdk-trace-base'
import type { Usage } from './llm-turn.js'
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

/** The convention counts what the cache took and gave as input; Anthropic tells it beside the input. */
const usageAttributes = (usage: Usage): Attributes => ({
  'gen_ai.usage.input_tokens': usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
  'gen_ai.usage.output_tokens': usage.output_tokens,
  'gen_ai.usage.cache_read.input_tokens': usage.cache_read_tokens,
  'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens
})

/** Ids that are there: of a run and its session, or of a generation. */
const idAttributes = ({ run_id, session_id, generation_id }: ModelCallFact): Attributes => ({
  ...(session_id === undefined ? {} : { 'gen_ai.conversation.id': session_id }),
  ...(run_id === undefined ? {} : { 'steward.run.id': run_id }),
  ...(generation_id === undefined ? {} : { 'steward.generation.id': generation_id })
})

const modelAttributes = (fact: ModelCallFact): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': fact.model,
  ...(fact.streamed ? { 'gen_ai.request.stream': true } : {}),
  ...(fact.stop_reason === null ? {} : { 'gen_ai.response.finish_reasons': [fact.stop_reason] }),
  ...(fact.first_token_ms === null ? {} : { 'gen_ai.response.time_to_first_chunk': fact.first_token_ms / 1_000 }),
  ...(fact.usage === null ? {} : usageAttributes(fact.usage)),
  ...idAttributes(fact),
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

/** Known when a run begins: what a sampler may look at. */
const agentAttributes: Attributes = {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.agent.name': 'steward'
}

const runAttributes = (fact: RunLeftFact): Attributes => ({
  ...(fact.status === 'failed' ? { 'error.type': fact.error ?? '_OTHER' } : {}),
  'gen_ai.request.model': fact.model,
  'gen_ai.conversation.id': fact.session_id,
  'steward.run.id': fact.run_id,
  'steward.run.status': fact.status
})

/** Asked every few seconds by what watches: nothing that anybody looks for in traces. */
const probes = new Set(['getHealth', 'getReadiness', 'getMetrics'])

interface Timed { started_at: number, ms: number }

interface Made {
  name: string
  kind: SpanKind
  attributes: Attributes
  parent: Context
  error: string | null
}

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
    if (fact.type === 'run_started') this.#startRun(fact.run_id)
    else if (fact.type === 'run_left') this.#endRun(fact)
    else if (fact.type === 'model_call') this.#modelCall(fact)
    else if (fact.type === 'tool_call') this.#toolCall(fact)
    else if (fact.type === 'request' && !probes.has(fact.operation ?? '')) this.#request(fact)
  }

  close (): Promise<void> {
    return this.#provider.shutdown()
  }

  #modelCall (fact: ModelCallFact): void {
    const { run_id, generation_id, model, error } = fact
    const made = { name: `chat ${model}`, kind: SpanKind.CLIENT, attributes: modelAttributes(fact), error }
    const own = () => this.#span(fact, { ...made, parent: this.#under(run_id) })
    if (generation_id === undefined) own()
    else this.#inTraceOf(generation_id, own)
  }

  #toolCall (fact: ToolCallFact): void {
    const error = fact.status === 'succeeded' ? null : fact.status
    const attributes = toolAttributes(fact)
    const parent = this.#under(fact.run_id)
    this.#span(fact, { name: `execute_tool ${fact.name}`, kind: SpanKind.INTERNAL, attributes, parent, error })
  }

  #request (fact: RequestFact): void {
    const error = fact.status >= 500 ? String(fact.status) : null
    const attributes = requestAttributes(fact)
    const parent = fact.of_tool ? this.#under(fact.run_id) : callerContext(fact.traceparent)
    this.#span(fact, { name: `${fact.method} ${fact.route}`, kind: SpanKind.SERVER, attributes, parent, error })
  }

  #startRun (runId: string): void {
    this.#inTraceOf(runId, () => {
      const options = { root: true, attributes: agentAttributes }
      this.#runs.set(runId, this.#provider.getTracer('steward').startSpan('invoke_agent steward', options))
    })
  }

  /** A span that begins a trace within gets the id of the run, or of the generation. */
  #inTraceOf (id: string, make: () => void): void {
    this.#ids.next = traceOf(id)
    make()
    this.#ids.next = undefined
  }

  #under (runId: string | undefined): Context {
    const run = this.#runs.get(runId ?? '')
    return run ? trace.setSpan(ROOT_CONTEXT, run) : ROOT_CONTEXT
  }

  #endRun (fact: RunLeftFact): void {
    const span = this.#runs.get(fact.run_id)
    this.#runs.delete(fact.run_id)
    span?.setAttributes(runAttributes(fact))
    if (fact.status === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  #span ({ started_at: startTime, ms }: Timed, { name, kind, attributes, parent, error }: Made): void {
    const failure = error === null ? {} : { 'error.type': error }
    const options = { kind, startTime, attributes: { ...attributes, ...failure } }
    const span = this.#provider.getTracer('steward').startSpan(name, options, parent)
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(startTime + ms)
  }
}

export const openTraces = (endpoint: string): Traces => new Traces(endpoint)
