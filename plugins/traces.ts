import fp from 'fastify-plugin'
import { messageOf } from '../schemas/unknown.js'

/** What OpenTelemetry calls those who serve models. */
const providers = { anthropic: 'anthropic', bedrock: 'aws.bedrock', vertex: 'gcp.vertex_ai' }

/** Spans for OpenTelemetry. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded. */
export default fp(async (app) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = app.config
  if (endpoint === undefined) return
  const { openTraces } = await import('../lib/telemetry/trace-exporter.js')
  const traces = openTraces(endpoint, providers[app.config.provider?.options.kind ?? 'anthropic'])
  app.telemetry.listen((event) => traces.record(event))
  app.addHook('onClose', async () => {
    await traces.close().catch((error: unknown) =>
      app.log.warn({ reason: messageOf(error) }, 'the last spans could not be sent'))
  })
}, { name: 'traces', dependencies: ['config'] })
