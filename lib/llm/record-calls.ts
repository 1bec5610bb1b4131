import type { FastifyInstance } from 'fastify'
import type { AskOptions } from './ask.js'

/** @returns what reports the model calls of a generation to telemetry */
export const recordCallsOf = (deps: Pick<FastifyInstance, 'telemetry'>, generationId: string):
Required<AskOptions>['onCall'] => (call) =>
  deps.telemetry.record({ type: 'model_call', generation_id: generationId, ...call })
