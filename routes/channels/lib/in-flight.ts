import type { ChannelKind } from '../../../schemas/channels/channels.js'

/** As many messages of one kind are on their way from one process at once. */
const mostOfKind = 4
/** So that of the four kinds one whose provider hangs leaves the others their places. */
export const deliveriesAtOnce = 4 * mostOfKind

/** @returns a counter of one process, which runs what has a place, and says that there was none: undefined */
export const makeInFlight = () => {
  const counts = new Map<ChannelKind, number>()
  return async <T>(kind: ChannelKind, run: () => Promise<T>): Promise<T | undefined> => {
    const count = counts.get(kind) ?? 0
    if (count >= mostOfKind) return undefined
    counts.set(kind, count + 1)
    try {
      return await run()
    } finally {
      counts.set(kind, (counts.get(kind) ?? 1) - 1)
    }
  }
}
