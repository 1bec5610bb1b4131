import fp from 'fastify-plugin'
import { Telemetry } from '../lib/telemetry/events.js'
import metrics from './metrics.js'
import traces from './traces.js'

declare module 'fastify' {
  interface FastifyInstance { telemetry: Telemetry }
}

export default fp(async (app) => {
  app.decorate('telemetry', new Telemetry())
  await app.register(metrics)
  await app.register(traces)
}, { name: 'telemetry', dependencies: ['config'] })
