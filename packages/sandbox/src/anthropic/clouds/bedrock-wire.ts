import { eventFrame, exceptionFrame } from '../../event-stream.js'
import type { Wire } from '../stream.js'

/** What an error of the Messages API is at Bedrock, within a stream. */
const exceptions: Record<string, string> = {
  overloaded_error: 'serviceUnavailableException',
  rate_limit_error: 'throttlingException',
  api_error: 'internalServerException',
  invalid_request_error: 'validationException'
}

const metrics = { inputTokenCount: 1, outputTokenCount: 1, invocationLatency: 1, firstByteLatency: 1 }

const chunk = (data: string) => eventFrame('chunk', {
  bytes: Buffer.from(data).toString('base64'), p: 'abcdefghijklmnopqrstuvwxyz'.slice(0, 1 + data.length % 26)
})

const toFrame = (frame: string): Buffer => {
  const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(frame) ?? []
  if (event === 'message_stop') {
    return chunk(JSON.stringify({ type: event, 'amazon-bedrock-invocationMetrics': metrics }))
  }
  if (event !== 'error') return chunk(data)
  // Written by errorFrame.
  const { error } = JSON.parse(data) as { error: { type: string, message: string } }
  return exceptionFrame(exceptions[error.type] ?? error.type, error.message)
}

/** A stream as Bedrock sends it: each event of the Messages API in a frame of an AWS event stream. */
export function bedrockWire (): Wire {
  let rest = ''
  return {
    contentType: 'application/vnd.amazon.eventstream',
    encode: (text) => {
      const frames = (rest + text).split('\n\n')
      rest = frames.pop() ?? ''
      return Buffer.concat(frames.map(toFrame))
    }
  }
}
