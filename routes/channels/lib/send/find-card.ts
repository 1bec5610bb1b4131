import type { WebClient } from '@slack/web-api'
import type { DeliveryRow } from '../../../../db/channels/deliveries.js'
import { messageOf } from '../../../../schemas/thrown.js'
import { fieldsOf, textIn } from '../../../../schemas/unknown.js'
import type { Deps } from '../deps.js'
import type { Ref } from './send.js'

/** By which a card says of itself which delivery it is. People do not see it. */
const cardEvent = 'steward_card'

export const metadataOf = ({ id }: Pick<DeliveryRow, 'id'>) =>
  ({ metadata: { event_type: cardEvent, event_payload: { delivery_id: id } } })

/** By how much the clocks of Slack and of the database may differ. */
const skewSeconds = 300
const pageSize = 200
const mostPages = 5

const isCardOf = (id: string, metadata: unknown): boolean => {
  const { event_type: type, event_payload: payload } = fieldsOf(metadata)
  return type === cardEvent && textIn(payload, 'delivery_id') === id
}

const search = async (client: WebClient, channel: string, { id }: DeliveryRow, since: Date): Promise<Ref> => {
  const oldest = (since.getTime() / 1_000 - skewSeconds).toFixed(6)
  let cursor = ''
  for (let page = 0; page < mostPages; page++) {
    const { messages = [], response_metadata: rest } = await client.conversations.history({
      channel, oldest, limit: pageSize, include_all_metadata: true, ...(cursor !== '' && { cursor })
    })
    const ts = messages.find(({ metadata }) => isCardOf(id, metadata))?.ts
    if (ts !== undefined) return { channel, ts }
    cursor = rest?.next_cursor ?? ''
    if (cursor === '') break
  }
  return null
}

/** An app that may not read its own conversations posts again, as it did before it was asked to look. */
const isMissingScope = (error: unknown): boolean => textIn(fieldsOf(error).data, 'error') === 'missing_scope'

/**
 * Looks for a card that was on its way when a process ended or an answer was lost: Slack has no key by which a
 * repetition is recognized.
 * @returns where it is; null = it was never sent, or did not arrive
 */
export const findCard = async ({ log }: Deps, client: WebClient, users: string, row: DeliveryRow): Promise<Ref> => {
  if (row.sending_since === null) return null
  try {
    const { channel } = await client.conversations.open({ users })
    return channel?.id === undefined ? null : await search(client, channel.id, row, row.sending_since)
  } catch (error) {
    if (!isMissingScope(error)) throw error
    log.warn({ reason: messageOf(error), delivery_id: row.id }, 'a card was not looked for: it may be there twice')
    return null
  }
}
