import { canonicalJson } from '../../../lib/record/canonical.js'
import type { Checkpoint } from '../../../lib/record/checkpoint.js'
import type { Entry } from '../../../lib/record/entry.js'

/** What is forwarded. A test says that it is one. */
export type Item = Entry | Checkpoint | { type: 'test', at: string, workspace_id: string }

const good = new Set(['succeeded', 'approved', 'pending', 'sent'])

const isGood = (item: Item): boolean => item.type !== 'entry' || good.has(item.outcome)

const nameOf = (item: Item): string => item.type === 'entry' ? item.kind : item.type

/** Facility 13 is the log audit's; severity 6 is informational, and 4 a warning. */
const priority = (item: Item): number => 13 * 8 + (isGood(item) ? 6 : 4)

/** @returns one message of RFC 5424, whose text is the item as JSON, framed by its length (RFC 6587, RFC 5425) */
export const toSyslogFrame = (item: Item, host: string): Buffer => {
  const text = `<${priority(item)}>1 ${item.at} ${host} steward - ${nameOf(item)} - ${canonicalJson(item)}`
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** @returns the body of a webhook */
export const toWebhookBody = (items: readonly Item[]): string => {
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
export const toOtlpBody = (items: readonly Item[], observedAt: string): string => JSON.stringify({
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
