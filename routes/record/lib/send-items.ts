import { Webhook } from 'standardwebhooks'
import type { DestinationRow } from '../../../db/record/destinations.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import type { Checkpoint } from '../../../lib/record/checkpoint.js'
import { canonicalJson, type Entry } from '../../../lib/record/entry.js'
import { textIn, fieldsOf, messageOf } from '../../../schemas/unknown.js'
import type { Deps } from './sign-checkpoint.js'

/** What is forwarded. A test says that it is one. */
export type Item = Entry | Checkpoint | { type: 'test', at: string, workspace_id: string }

const good = new Set(['succeeded', 'approved', 'pending', 'sent'])

const isGood = (item: Item): boolean => item.type !== 'entry' || good.has(item.outcome)

const nameOf = (item: Item): string => item.type === 'entry' ? item.kind : item.type

/** Facility 13 is the log audit's; severity 6 is informational, and 4 a warning. */
const priority = (item: Item): number => 13 * 8 + (isGood(item) ? 6 : 4)

/** @returns one message of RFC 5424, whose text is the item as JSON, framed by its length (RFC 6587, RFC 5425) */
const toSyslogFrame = (item: Item, host: string): Buffer => {
  const text = `<${priority(item)}>1 ${item.at} ${host} steward - ${nameOf(item)} - ${canonicalJson(item)}`
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** @returns the body of a webhook */
const toWebhookBody = (items: readonly Item[]): string => {
  const [first] = items
  const type = first?.type === 'entry' ? 'audit.entries' : `audit.${first?.type}`
  return canonicalJson({ type, timestamp: first?.at, data: { items } })
}

const text = (key: string, value: string | null) => value === null ? [] : [{ key, value: { stringValue: value } }]

const attributesOf = (item: Item) => [
  ...text('steward.record.type', item.type),
  ...text('steward.workspace.id', item.workspace_id),
  ...('seq' in item ? [{ key: 'steward.record.seq', value: { intValue: String(item.seq) } }] : []),
  ...(item.type !== 'entry'
    ? []
    : [
        ...text('steward.record.kind', item.kind),
        ...text('steward.record.operation', item.operation),
        ...text('steward.record.outcome', item.outcome),
        ...text('steward.record.target', item.target),
        ...text('steward.write.id', item.write_id),
        ...text('user.id', item.user_id),
        ...text('client.address', item.remote_address)
      ])
]

const nanos = (at: string): string => `${BigInt(Date.parse(at)) * 1_000_000n}`

/** @returns the items as a request of OTLP logs in JSON (OpenTelemetry protocol 1.x) */
const toOtlpBody = (items: readonly Item[], observedAt: string): string => JSON.stringify({
  resourceLogs: [{
    resource: { attributes: text('service.name', 'steward') },
    scopeLogs: [{
      scope: { name: 'steward.record' },
      logRecords: items.map((item) => ({
        timeUnixNano: nanos(item.at),
        observedTimeUnixNano: nanos(observedAt),
        severityNumber: isGood(item) ? 9 : 13,
        severityText: isGood(item) ? 'INFO' : 'WARN',
        eventName: `steward.record.${nameOf(item)}`,
        body: { stringValue: canonicalJson(item) },
        attributes: attributesOf(item)
      }))
    }]
  }]
})

/** Delivered, or why not. A message that is refused for what it is will not be taken later either. */
export type Sent = { ok: true } | { ok: false, error: string, isRefused: boolean, afterSeconds?: number }

const timeoutMs = 15_000
const maxAnswer = 65_536
/** What a receiver says of the message itself, not of credentials or of its own state. */
const refusals = new Set([400, 413, 415, 422])

const secretOf = ({ secrets }: Deps, { id, secret }: DestinationRow): string | undefined =>
  secret ? secrets.decrypt(`audit_destination|${id}|secret`, secret) : undefined

const post = async ({ outbound }: Deps, url: string, headers: Record<string, string>, body: string) => {
  const answer = await outbound.fetch({ url, method: 'POST', headers, body, timeoutMs, maxBytes: maxAnswer })
  const { status, headers: { 'retry-after': after } } = answer
  const ok = status >= 200 && status < 300
  const failure = {
    ok: false as const,
    error: `It answered ${status}`,
    isRefused: refusals.has(status),
    ...(Number(after) > 0 && { afterSeconds: Number(after) })
  }
  return { answer, sent: ok ? { ok: true as const } : failure }
}

/** The same items have the same id each time, by which a receiver recognizes a repetition. */
const sendWebhook = async (deps: Deps, row: DestinationRow, items: readonly Item[], id: string): Promise<Sent> => {
  const secret = secretOf(deps, row)
  if (secret === undefined) return { ok: false, error: 'Its secret is gone: set a new one', isRefused: false }
  const body = toWebhookBody(items)
  const at = new Date()
  return (await post(deps, row.url, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body)
  }, body)).sent
}

/** A collector may take some and refuse the rest, with a success (OTLP, partial success). */
const sendOtlp = async (deps: Deps, row: DestinationRow, items: readonly Item[]): Promise<Sent> => {
  const authorization = secretOf(deps, row)
  const { answer, sent } = await post(deps, row.url, {
    'content-type': 'application/json', ...(authorization !== undefined && { authorization })
  }, toOtlpBody(items, new Date().toISOString()))
  if (!sent.ok) return sent
  const partial = fieldsOf(parse(answer.body.toString('utf8'))).partialSuccess
  const rejected = Number(fieldsOf(partial).rejectedLogRecords ?? 0)
  if (!(rejected > 0)) return sent
  return { ok: false, error: `It rejected ${rejected}: ${textIn(partial, 'errorMessage') ?? ''}`, isRefused: true }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sendSyslog = async ({ outbound, config }: Deps, row: DestinationRow, items: readonly Item[]): Promise<Sent> => {
  const { protocol, hostname, port } = new URL(row.url)
  const host = config.PUBLIC_URL === undefined ? '-' : new URL(config.publicUrl).hostname
  const isTls = protocol === 'syslog+tls:'
  await outbound.sendBytes({
    host: hostname, port: Number(port || (isTls ? 6514 : 601)), tls: isTls, ca: row.ca ?? undefined, timeoutMs
  }, Buffer.concat(items.map((item) => toSyslogFrame(item, host))))
  return { ok: true }
}

const cut = (text: string): string => text.slice(0, 500).toWellFormed()

/** Sends items to a destination once. */
export const sendItems = async (deps: Deps, row: DestinationRow, items: readonly Item[], id: string):
Promise<Sent> => {
  try {
    if (row.kind === 'webhook') return await sendWebhook(deps, row, items, id)
    return await (row.kind === 'otlp' ? sendOtlp : sendSyslog)(deps, row, items)
  } catch (error) {
    const reason = messageOf(error)
    if (!(error instanceof OutboundError)) deps.log.error({ reason, destination_id: row.id }, 'record not forwarded')
    const cause = error instanceof OutboundError && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return { ok: false, error: cut(`${reason}${cause}`), isRefused: false }
  }
}
