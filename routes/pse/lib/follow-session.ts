import type { Followed } from '../../../lib/streams/follow.js'
import { endEvents } from '../../../schemas/pse/events.js'

export interface Following {
  workspace_id: string
  session_id: string
  /** The one whose end ends the stream; null = it ends with what has been told already. */
  generation_id: string | null
  /** Position of the last event there was. */
  until?: number
  after: number
}

/** @returns what happens in a session, from a position on, until the generation ends */
export const sessionStream = ({ workspace_id, session_id, generation_id: id, until = 0, after }: Following):
Followed => ({
  workspaceId: workspace_id,
  streamId: session_id,
  after,
  isEnd: ({ end, event, data }) => id === null
    ? end >= until
    : endEvents.includes(event) && data.generation_id === id
})
