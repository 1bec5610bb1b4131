import { findTrigger, type TriggerRow } from '../../../../db/agent/triggers.js'
import { isTooDeep, maxDepth } from '../../../../lib/http/json-depth.js'
import { requireStorableJson } from '../../../../lib/http/storable.js'
import { decodeUtf8 } from '../../../../lib/http/utf8.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { EventReceipt } from '../../../../schemas/agent/triggers.js'
import { MalformedJson, Overloaded } from '../../../../schemas/errors.js'
import { EventUnsigned, TriggerNotFound } from '../errors.js'
import { fireSoon } from './fire-trigger.js'
import { secretOf } from './make-trigger.js'
import { readAlert, readSns, snsMeaning, type Meaning } from './read-alert.js'
import { resolve } from './resolve-firing.js'
import type { TriggerDeps } from './start-firing.js'
import { verifyEvent, type RawEvent } from './verify-event.js'
import type { SnsVerifier } from './verify-sns.js'

const maxIdentity = 800
const maxTitle = 300

/** @returns the body as JSON. @throws not_utf8, malformed_json, invalid_text */
const parse = ({ body }: RawEvent): unknown => {
  const text = decodeUtf8(body)
  if (isTooDeep(text)) throw MalformedJson(`The body is nested deeper than ${maxDepth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw MalformedJson()
  }
  requireStorableJson(text, value)
  return value
}

const cutName = (name: string): string => name.slice(0, maxIdentity).toWellFormed()

const ignored: EventReceipt = { status: 'ignored', firing_id: null }

const act = async (deps: TriggerDeps, trigger: TriggerRow, { cause, resolved }: Meaning): Promise<EventReceipt> => {
  // Also for a trigger that is off: what waits shall not be approved any more.
  const over = resolved ? await resolve(deps, trigger, resolved) : []
  if (!cause || !trigger.enabled) {
    return over[0] === undefined ? ignored : { status: 'resolved', firing_id: over[0] }
  }
  const { id, isNew } = await fireSoon(deps, trigger, {
    ...cause,
    identities: cause.identities.map((one) => ({ ...one, identity: cutName(one.identity) })),
    title: cause.title.slice(0, maxTitle).toWellFormed()
  })
  return { status: isNew ? 'accepted' : 'duplicate', firing_id: id ?? null }
}

/** SNS signs with a key of its own, so the message is read before it is believed. */
const takeSns = async (deps: TriggerDeps, sns: SnsVerifier, trigger: TriggerRow, event: RawEvent):
Promise<EventReceipt> => {
  const message = readSns(parse(event))
  if (message.TopicArn !== trigger.topic_arn) throw EventUnsigned('The message is of another topic')
  try {
    await sns.verify(message)
    if (message.Type === 'Notification') return await act(deps, trigger, snsMeaning(message))
    if (message.Type !== 'SubscriptionConfirmation') return ignored
    await sns.confirm(message)
    return { status: 'subscribed', firing_id: null }
  } catch (error) {
    // SNS sends it again.
    if (error instanceof OutboundError) {
      throw Overloaded('SNS could not be reached').withHeaders({ 'retry-after': '30' })
    }
    throw error
  }
}

/** @returns the webhook trigger that an event is for. @throws trigger_not_found */
export const requireWebhook = async ({ db }: Pick<TriggerDeps, 'db'>, workspaceId: string, id: string):
Promise<TriggerRow> => {
  const trigger = await findTrigger(db, workspaceId, id)
  if (trigger?.kind !== 'webhook') throw TriggerNotFound()
  return trigger
}

/**
 * Takes an event: verifies who signed it, stores what it means, and has a run begin, or what waits lapse.
 * @throws event_unsigned, event_expired, event_invalid, not_utf8, malformed_json, invalid_text
 */
export const takeEvent = async (deps: TriggerDeps, sns: SnsVerifier, trigger: TriggerRow, event: RawEvent):
Promise<EventReceipt> => {
  const { source } = trigger
  if (source === 'sns') return takeSns(deps, sns, trigger, event)
  verifyEvent(source ?? 'generic', event, secretOf(deps, trigger))
  return act(deps, trigger, readAlert(source ?? 'generic', parse(event), event.headers))
}
