import { follow } from 'steward-client'
import { openStream } from './events'
import type { Problem } from './problem'

export { retryDelay } from 'steward-client'

export interface Follower<E> {
  signal: AbortSignal
  onOpen: () => void
  /** @returns whether the event is the last of the stream */
  onEvent: (event: E, id: string | undefined) => boolean
  /** The connection ended early; `failures` attempts before this one read no new event either. */
  onBreak: (failures: number, problem: Problem | undefined) => void
}

/**
 * Follows a stream from its beginning to its end, or until the signal. After a break it joins again behind the last id
 * read. `opened` is a response that already streams. @throws Problem that another attempt would not change
 */
export const followStream = async <E>(path: string, { onEvent, ...follower }: Follower<E>, opened?: Response):
Promise<void> => {
  const { signal } = follower
  const open = (lastId: string | undefined) =>
    openStream(path, { signal, headers: lastId === undefined ? {} : { 'last-event-id': lastId } })
  for await (const { id, data } of follow<E>({ ...follower, opened, open })) {
    if (onEvent(data, id)) return
  }
}
