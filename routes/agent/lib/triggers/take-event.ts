import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { findTrigger, type TriggerRow } from '../../../../db/agent/triggers.js'
import { isTooDeep, maxDepth, decodeUtf8 } from '../../../../lib/http/text.js'
import { requireStorableJson } from '../../../../lib/http/storable.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { EventReceipt, TriggerSource } from '../../../../schemas/agent/triggers.js'
import { MalformedJson, Overloaded } from '../../../../schemas/errors.js'
import { EventUnsigned, TriggerNotFound, EventExpired } from '../errors.js'
import { fireSoon, type TriggerDeps } from './fire-trigger.js'
import { secretOf } from './make-trigger.js'
import { readAlert, readSns, snsMeaning, type Meaning, resolve } from './read-alert.js'
import type { SnsVerifier } from './verify-sns.js'

/** An event as it arrived. */
interface RawEvent { headers: IncomingHttpHeaders, body: Buffer }

/** How far the sender's clock may be from ours, and how late an event may come. */
const windowS = 300

const isEqual = (a: string | Buffer, b: string | Buffer): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]): Buffer => {
  const made = createHmac('sha256', key)
  for (const part of parts) made.update(part)
  return made.digest()
}

const headerOf = ({ headers }: RawEvent, name: string): string => [headers[name] ?? ''].flat().join(', ')

/** @throws event_expired */
const requireRecent = (seconds: number): void => {
  if (!Number.isFinite(seconds) || Math.abs(Date.now() / 1_000 - seconds) > windowS) {
    throw EventExpired(`The timestamp is more than ${windowS} s away from this clock`)
  }
}

/** By Standard Webhooks 1.0: a header may have several signatures, while the secret is replaced. */
const verifyStandard = (event: RawEvent, secret: string): void => {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    .map((name) => headerOf(event, name)) as [string, string, string]
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = hmac(key, `${id}.${timestamp}.`, event.body).toString('base64')
  if (id === '' || !given.split(' ').some((one) => isEqual(one, `v1,${signature}`))) throw EventUnsigned()
  requireRecent(Number(timestamp || Number.NaN))
}

/** A bearer token, or the password of basic credentials: what Alertmanager and Grafana send. */
const hasToken = (event: RawEvent, secret: string): boolean => {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(headerOf(event, 'authorization')) ?? []
  if (/^bearer$/i.test(scheme)) return isEqual(hmac('compare', value), hmac('compare', secret))
  if (!/^basic$/i.test(scheme)) return false
  const password = Buffer.from(value, 'base64').toString('utf8').replace(/^[^:]*:/, '')
  return isEqual(hmac('compare', password), hmac('compare', secret))
}

const verifyToken = (event: RawEvent, secret: string): void => {
  if (!hasToken(event, secret)) throw EventUnsigned()
}

/** Grafana signs the body, with a timestamp before it where a header for that is set; else it sends a token. */
const verifyGrafana = (event: RawEvent, secret: string): void => {
  const given = headerOf(event, 'x-grafana-alerting-signature')
  if (given === '') return verifyToken(event, secret)
  const timestamp = headerOf(event, 'x-grafana-alerting-signature-timestamp') ||
    headerOf(event, 'x-grafana-alerting-timestamp')
  const signature = hmac(secret, ...(timestamp === '' ? [] : [`${timestamp}:`]), event.body).toString('hex')
  if (!isEqual(given, signature)) throw EventUnsigned()
  if (timestamp !== '') requireRecent(Number(timestamp))
}

/** PagerDuty lists a signature for each secret of the subscription. */
const verifyPagerDuty = (event: RawEvent, secret: string): void => {
  const signature = `v1=${hmac(secret, event.body).toString('hex')}`
  const given = headerOf(event, 'x-pagerduty-signature').split(',').map((one) => one.trim())
  if (!given.some((one) => isEqual(one, signature))) throw EventUnsigned()
}

const verifiers: Record<Exclude<TriggerSource, 'sns'>, (event: RawEvent, secret: string) => void> = {
  generic: verifyStandard,
  alertmanager: verifyToken,
  grafana: verifyGrafana,
  pagerduty: verifyPagerDuty
}

/** @throws event_unsigned, event_expired */
const verifyEvent = (source: Exclude<TriggerSource, 'sns'>, event: RawEvent, secret: string | undefined):
void => {
  if (secret === undefined) throw EventUnsigned()
  verifiers[source](event, secret)
}

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
