import { baseUrl } from './client'
import { openStream, pause, readFrames } from './events'
import { problemOf, type Problem } from './problem'

export interface Follower<E> {
  signal: AbortSignal
  onOpen: () => void
  /** @returns whether the event is the last of the stream */
  onEvent: (event: E, id: string | undefined) => boolean
  /** The connection ended early; `failures` attempts before this one read no new event either. */
  onBreak: (failures: number, problem: Problem | undefined) => void
}

/** Milliseconds before the next attempt. */
export const retryDelay = (failures: number): number => Math.min(8_000, 250 * 2 ** failures)

/** Another attempt gets the same answer. */
const isFinal = ({ status }: Problem) => status >= 400 && status < 500 && status !== 429

interface Cursor { lastId?: string }

const join = (path: string, { lastId }: Cursor, signal: AbortSignal): Promise<Response> =>
  openStream(`${baseUrl}${path}`, { signal, headers: lastId === undefined ? {} : { 'last-event-id': lastId } })

/** @returns whether the stream came to its end, or the follower has left */
const readEvents = async <E>(response: Response, cursor: Cursor, follower: Follower<E>): Promise<boolean> => {
  if (response.status === 204) return true
  follower.onOpen()
  for await (const { id, data } of readFrames<E>(response)) {
    if (follower.signal.aborted) return true
    const isLast = follower.onEvent(data, id)
    if (id) cursor.lastId = id
    if (isLast) return true
  }
  return false
}

/**
 * Follows a stream from its beginning to its end, or until the signal. After a break it joins again behind the last id
 * read. `opened` is a response that already streams. @throws Problem that another attempt would not change
 */
export const followStream = async <E>(path: string, follower: Follower<E>, opened?: Response): Promise<void> => {
  const { signal, onBreak } = follower
  const cursor: Cursor = {}
  let response = opened
  for (let failures = 0; !signal.aborted; failures++) {
    const { lastId } = cursor
    let problem: Problem | undefined
    try {
      response ??= await join(path, cursor, signal)
      if (await readEvents(response, cursor, follower)) return
    } catch (error) {
      problem = problemOf(error)
      if (!signal.aborted && isFinal(problem)) throw problem
    }
    if (signal.aborted) return
    response = undefined
    if (cursor.lastId !== lastId) failures = 0
    onBreak(failures, problem)
    await pause(retryDelay(failures), signal)
  }
}
