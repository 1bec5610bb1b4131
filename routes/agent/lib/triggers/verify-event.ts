import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { TriggerSource } from '../../../../schemas/agent/triggers.js'
import { EventExpired, EventUnsigned } from '../errors.js'

/** An event as it arrived. */
export interface RawEvent { headers: IncomingHttpHeaders, body: Buffer }

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
export const verifyEvent = (source: Exclude<TriggerSource, 'sns'>, event: RawEvent, secret: string | undefined):
void => {
  if (secret === undefined) throw EventUnsigned()
  verifiers[source](event, secret)
}
