import { v7 as uuid } from 'uuid'
import { listDueDigests, moveDigest } from '../../../db/channels/channels.js'
import { insertDeliveries } from '../../../db/channels/deliveries.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import { nextDigest } from './local-time.js'

/** What waits is looked up when it is sent; with nothing to say, nothing is. */
export const sendDigests = async (deps: Deps): Promise<void> => {
  for (const channel of await listDueDigests(deps.db)) {
    const { workspace_id: workspaceId, id, user_id } = channel
    const made = await deps.db.transaction().execute(async (trx) =>
      await moveDigest(trx, channel, nextDigest(channel.digest, new Date()))
        ? insertDeliveries(trx, workspaceId,
          [{ channel_id: id, user_id, event: 'digest', subject_id: uuid(), facts: {}, wanted: 'digest' }])
        : [])
    for (const key of made) await enqueueDue(deps, deliveryKind, key)
  }
}
