import { follow } from 'steward-client'
import { openStream } from './events'
import type { Problem } from './problem'
import { takeTurns } from './stream-turns'

export { retryDelay } from 'steward-client'

export interface Follower<E> {
  signal: AbortSignal
  onOpen: () => void
  /** @returns whether the event is the last of the stream */
  onEvent: (event: E, id: string | undefined) => boolean
  /** The connection ended early; `failures` attempts before this one read no new event either. */
  onBreak: (failures: number, problem: Problem | undefined) => void
}

/** @returns the response, whose connection ends with the signal */
const endWith = (response: Response, signal: AbortSignal): Response =>
  new Response(response.body?.pipeThrough(new TransformStream(), { signal }), response)

/**
 * Follows a stream from its beginning to its end, or until the signal. After a break it joins again behind the last id
 * read, and so it does where other tabs had the connections meanwhile. `opened` is a response that already streams.
 * @throws Problem that another attempt would not change
 */
export const followStream = async <E>(path: string, { onEvent, ...follower }: Follower<E>, opened?: Response):
Promise<void> => {
  let last: string | undefined
  let first = opened
  await takeTurns(follower.signal, async (signal) => {
    const open = (lastId: string | undefined) =>
      openStream(path, { signal, headers: lastId === undefined ? {} : { 'last-event-id': lastId } })
    const streaming = first && endWith(first, signal)
    first = undefined
    for await (const { id, data } of follow<E>({ ...follower, signal, opened: streaming, lastId: last, open })) {
      last = id || last
      if (onEvent(data, id)) return true
    }
    return false
  })
}
