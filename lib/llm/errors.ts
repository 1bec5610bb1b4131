/** Why a model call gave no usable turn. Messages are ours: nothing of the provider's text crosses the wire. */
export class ModelError extends Error {
  constructor (readonly code: string, message: string, readonly retryable: boolean, readonly retryAfterMs?: number) {
    super(message)
    this.name = 'ModelError'
  }
}

export const modelOverloaded = (ms?: number) => new ModelError('model_overloaded', 'The model is busy.', true, ms)
export const modelStalled = () => new ModelError('model_stream_stalled', 'The model fell silent.', true)
export const modelBroken = () => new ModelError('model_stream_broken', 'The connection to the model broke.', true)

/** Errors inside a stream carry a type and no status. */
export const fromErrorEvent = (type: string | undefined): ModelError => {
  if (type === 'overloaded_error') return modelOverloaded()
  if (type === 'rate_limit_error') return new ModelError('model_rate_limited', 'The model limits our requests.', true)
  if (type === 'api_error' || type === 'timeout_error') return modelBroken()
  return new ModelError('model_bad_request', 'The model refused the request.', false)
}
