import { readFrames, type Frame } from './frames.js'
import { problemOf, unexpectedAnswer, type Problem } from './problem.js'

export interface FollowOptions<E> {
  /** Requests what follows the event of this id, or without one the stream from its beginning. */
  open: (lastId: string | undefined) => Promise<Response>
  /** A response that streams already. */
  opened?: Response | undefined
  /** Goes on after this event. */
  lastId?: string | undefined
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined
  /** @returns whether nothing follows this event. Without it, the 204 that answers the next request ends the stream */
  isLast?: (event: E) => boolean
  onOpen?: (response: Response) => void
  /** The connection ended early; `failures` attempts before this one read no new event either. */
  onBreak?: (failures: number, problem: Problem | undefined) => void
  /** Milliseconds before the attempt after so many failures; by default up to 8 seconds, spread by chance. */
  delay?: (failures: number) => number
  /** How long no byte may come, in milliseconds. */
  silenceMs?: number
}

const maxDelayMs = 8_000

/** An answer may ask for a longer pause than this, and is asked again all the same. */
const maxRetryAfterMs = 60_000

/** Milliseconds before the next attempt. */
export const retryDelay = (failures: number): number => Math.min(maxDelayMs, 250 * 2 ** failures)

/** Not all at once: a restart breaks every stream in the same moment. */
const spreadDelay = (failures: number): number => retryDelay(failures) * (0.5 + Math.random() / 2)

/** Resolves after so many milliseconds, or with the signal. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal?.aborted) return resolve()
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    resolve()
  }
  const timer = setTimeout(end, ms)
  signal?.addEventListener('abort', end, { once: true })
})

/** @returns the response, or a 204: there is nothing to follow. @throws Problem for any other */
export const requireStream = async (pending: Promise<Response>): Promise<Response> => {
  const response = await pending.catch((error: unknown) => { throw problemOf(error) })
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204 || (response.ok && type.startsWith('text/event-stream'))) return response
  if (response.ok) {
    await response.body?.cancel().catch(() => {})
    throw unexpectedAnswer(response)
  }
  throw problemOf(await response.json().catch(() => undefined), response)
}

/**
 * Follows a stream to its end, or until the signal: after a break it goes on behind the last event that was complete,
 * so that none is lost and none comes twice. @throws Problem that another attempt would not change
 */
export async function * follow<E> (options: FollowOptions<E>): AsyncGenerator<Frame<E>> {
  const { open, signal, isLast, onOpen, onBreak, silenceMs, delay = spreadDelay } = options
  let { opened, lastId } = options
  for (let failures = 0; !signal?.aborted; failures++) {
    const before = lastId
    let problem: Problem | undefined
    try {
      const response = opened ?? await requireStream(open(lastId))
      if (response.status === 204) return
      onOpen?.(response)
      for await (const frame of readFrames<E>(response, silenceMs)) {
        if (signal?.aborted) return
        lastId = frame.id || lastId
        yield frame
        if (isLast?.(frame.data)) return
      }
    } catch (error) {
      problem = problemOf(error)
      if (!signal?.aborted && problem.isFinal) throw problem
    }
    if (signal?.aborted) return
    opened = undefined
    if (lastId !== before) failures = 0
    onBreak?.(failures, problem)
    const asked = Math.min(problem?.retryAfterMs ?? 0, maxRetryAfterMs)
    await pause(Math.max(delay(failures), asked), signal)
  }
}
