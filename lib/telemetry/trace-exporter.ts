import { randomBytes } from 'node:crypto'
import {
  ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Context, type Span
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type IdGenerator } from '@opentelemetry/sdk-trace-base'
import type { Usage } from '../llm/turn.js'
import { stewardVersion } from '../openapi/version.js'
import type {
  ModelCallEvent, RequestEvent, RunReleasedEvent, TelemetryEvent, ToolCallEvent
} from './events.js'

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

/** The convention counts what the cache took and gave as input; Anthropic reports it beside the input. */
const usageAttributes = (usage: Usage): Attributes => ({
  'gen_ai.usage.input_tokens': usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
  'gen_ai.usage.output_tokens': usage.output_tokens,
  'gen_ai.usage.cache_read.input_tokens': usage.cache_read_tokens,
  'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens
})

/** Ids that are there: of a run and its session, or of a generation. */
const idAttributes = ({ run_id, session_id, generation_id }: ModelCallEvent): Attributes => ({
  ...(session_id === undefined ? {} : { 'gen_ai.conversation.id': session_id }),
  ...(run_id === undefined ? {} : { 'steward.run.id': run_id }),
  ...(generation_id === undefined ? {} : { 'steward.generation.id': generation_id })
})

const modelAttributes = (event: ModelCallEvent): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': event.model,
  ...(event.streamed ? { 'gen_ai.request.stream': true } : {}),
  ...(event.stop_reason === null ? {} : { 'gen_ai.response.finish_reasons': [event.stop_reason] }),
  ...(event.first_token_ms === null ? {} : { 'gen_ai.response.time_to_first_chunk': event.first_token_ms / 1_000 }),
  ...(event.usage === null ? {} : usageAttributes(event.usage)),
  ...idAttributes(event),
  'steward.cost_usd': event.cost_usd_micros / 1_000_000
})

const toolAttributes = (event: ToolCallEvent): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': event.name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': event.tool_call_id,
  'gen_ai.conversation.id': event.session_id,
  'steward.run.id': event.run_id,
  'steward.tool.effect': event.effect,
  'steward.tool.status': event.status
})

const requestAttributes = (event: RequestEvent): Attributes => ({
  'http.request.method': event.method,
  'http.route': event.route,
  'http.response.status_code': event.status,
  'steward.request.id': event.request_id,
  ...(event.operation === undefined ? {} : { 'steward.operation.id': event.operation }),
  ...(event.run_id === undefined ? {} : { 'steward.run.id': event.run_id })
})

/** Known when a run begins: what a sampler may look at. */
const agentAttributes = (modelProvider: string): Attributes => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.provider.name': modelProvider,
  'gen_ai.agent.name': 'steward'
})

const runAttributes = (event: RunReleasedEvent): Attributes => ({
  ...(event.status === 'failed' ? { 'error.type': event.error ?? '_OTHER' } : {}),
  'gen_ai.request.model': event.model,
  'gen_ai.conversation.id': event.session_id,
  'steward.run.id': event.run_id,
  'steward.run.status': event.status
})

/** Polled every few seconds by monitoring: noise in traces. */
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

  /** @param modelProvider by the name that OpenTelemetry gives it */
  constructor (endpoint: string, private readonly modelProvider: string) {
    const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'steward', 'service.version': stewardVersion }),
      idGenerator: this.#ids,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))]
    })
  }

  record (event: TelemetryEvent): void {
    if (event.type === 'run_started') this.#startRun(event.run_id)
    else if (event.type === 'run_left') this.#endRun(event)
    else if (event.type === 'model_call') this.#modelCall(event)
    else if (event.type === 'tool_call') this.#toolCall(event)
    else if (event.type === 'request' && !probes.has(event.operation ?? '')) this.#request(event)
  }

  close (): Promise<void> {
    return this.#provider.shutdown()
  }

  #modelCall (event: ModelCallEvent): void {
    const { run_id, generation_id, model, error } = event
    const attributes = { ...modelAttributes(event), 'gen_ai.provider.name': this.modelProvider }
    const made = { name: `chat ${model}`, kind: SpanKind.CLIENT, attributes, error }
    const own = () => this.#span(event, { ...made, parent: this.#under(run_id) })
    if (generation_id === undefined) own()
    else this.#inTraceOf(generation_id, own)
  }

  #toolCall (event: ToolCallEvent): void {
    const error = event.status === 'succeeded' ? null : event.status
    const attributes = toolAttributes(event)
    const parent = this.#under(event.run_id)
    this.#span(event, { name: `execute_tool ${event.name}`, kind: SpanKind.INTERNAL, attributes, parent, error })
  }

  #request (event: RequestEvent): void {
    const error = event.status >= 500 ? String(event.status) : null
    const attributes = requestAttributes(event)
    const parent = event.of_tool ? this.#under(event.run_id) : callerContext(event.traceparent)
    this.#span(event, { name: `${event.method} ${event.route}`, kind: SpanKind.SERVER, attributes, parent, error })
  }

  #startRun (runId: string): void {
    this.#inTraceOf(runId, () => {
      const options = { root: true, attributes: agentAttributes(this.modelProvider) }
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

  #endRun (event: RunReleasedEvent): void {
    const span = this.#runs.get(event.run_id)
    this.#runs.delete(event.run_id)
    span?.setAttributes(runAttributes(event))
    if (event.status === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
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

export const openTraces = (endpoint: string, modelProvider: string): Traces => new Traces(endpoint, modelProvider)
