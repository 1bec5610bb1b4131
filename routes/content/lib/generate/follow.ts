import type { GenerationRow } from '../../../../db/content/generations.js'
import type { Followed } from '../../../../lib/streams/follow.js'
import { contentEndEvents } from '../../../../schemas/content/generation-records.js'

/** @param after the position that the client holds */
export const followedOf = ({ workspace_id: workspaceId, id }: GenerationRow, after: number): Followed =>
  ({ workspaceId, streamId: id, after, isEnd: ({ event }) => contentEndEvents.includes(event) })
