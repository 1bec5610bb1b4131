import type { FastifyInstance } from 'fastify'
import type { AskOptions } from './llm-ask.js'

/** @returns what tells telemetry of the model calls of a generation */
export const tellCallsOf = (deps: Pick<FastifyInstance, 'llm' | 'telemetry'>, generationId: string):
Required<AskOptions>['onCall'] => (call) => deps.telemetry.tell({
  type: 'model_call',
  generation_id: generationId,
  ...call,
  cost_usd_micros: call.usage ? deps.llm.cost(call.usage, call.model) ?? 0 : 0
})
