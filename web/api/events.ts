import { EventSourceParserStream } from 'eventsource-parser/stream'
import { problemOf } from './problem'

export interface Frame<E> { id: string | undefined, data: E }

/** @returns the frames of a text/event-stream response, as they arrive */
export async function * readFrames<E> (response: Response): AsyncGenerator<Frame<E>> {
  if (!response.body) return
  // The stream's chunks are views of plain buffers, which is all that the decoder takes.
  const bytes = response.body as ReadableStream<Uint8Array<ArrayBuffer>>
  const events = bytes.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { id, data } = next.value
      // openapi.yaml declares the events; unknown fields pass through.
      yield { id, data: JSON.parse(data) as E }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** @returns the response, which may be a 204: there is nothing to follow. @throws Problem */
export const openStream = async (url: string, init: RequestInit): Promise<Response> => {
  const headers = { accept: 'text/event-stream', ...init.headers }
  const response = await fetch(url, { credentials: 'same-origin', ...init, headers })
    .catch((error: unknown) => { throw problemOf(error) })
  if (response.ok) return response
  throw problemOf(await response.json().catch(() => undefined), response)
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  }, { once: true })
})
