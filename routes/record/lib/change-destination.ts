import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/index.js'
import { findChain } from '../../../db/record/chain.js'
import { listCheckpoints } from '../../../db/record/checkpoints.js'
import {
  countDestinations, countLetters, findDestination, insertDestination, listDestinations, updateDestination,
  type DestinationRow, deleteLetter, findLetter
} from '../../../db/record/destinations.js'
import { listEntriesAfter } from '../../../db/record/entries.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import { OutboundError } from '../../../lib/outbound/errors.js'
import type {
  AddAuditDestination, AuditDestination, UpdateAuditDestination
} from '../../../schemas/record/destinations.js'
import { messageOf } from '../../../schemas/unknown.js'
import { DestinationInvalid, DestinationNotFound, TooManyDestinations, DeadLetterNotFound } from './errors.js'
import { forwardingKind } from './forward.js'
import { numberEntries } from './number-entries.js'
import { type Item, sendItems, type Sent } from './send-items.js'
import { toCheckpoint, toEntry } from './show-entries.js'
import type { Deps } from './sign-checkpoint.js'

const most = 10

const show = ({ workspace_id: _, secret, lease_epoch: _epoch, ...row }: DestinationRow, letters: number):
AuditDestination => ({ ...row, has_secret: secret !== null, dead_letters: letters })

const letterCounts = async (db: Db, workspaceId: string): Promise<Map<string, number>> =>
  new Map((await countLetters(db, workspaceId)).map(({ destination_id: id, count }) => [id, count]))

export const showDestinations = async (db: Db, workspaceId: string): Promise<AuditDestination[]> => {
  const counts = await letterCounts(db, workspaceId)
  return (await listDestinations(db, workspaceId)).map((row) => show(row, counts.get(row.id) ?? 0))
}

/** @throws destination_not_found */
export const requireDestination = async (db: Db, workspaceId: string, id: string): Promise<DestinationRow> => {
  const row = await findDestination(db, workspaceId, id)
  if (!row) throw DestinationNotFound()
  return row
}

/** @throws destination_not_found */
export const showDestination = async (db: Db, workspaceId: string, id: string): Promise<AuditDestination> => {
  const row = await requireDestination(db, workspaceId, id)
  return show(row, (await letterCounts(db, workspaceId)).get(row.id) ?? 0)
}

const invalid = (pointer: string, message: string) =>
  DestinationInvalid(message, { errors: [{ pointer, code: 'destination_invalid', message }] })

type Checked = Pick<DestinationRow, 'kind' | 'url'> & { secret?: string | undefined }

/** Where a syslog server is, as an address of the web that is checked like every other. */
const hostUrl = (kind: Checked['kind'], url: string): string => {
  if (kind !== 'syslog') return url
  const isSyslog = URL.canParse(url) && /^syslog\+(tls|tcp):$/.test(new URL(url).protocol)
  if (!isSyslog) throw invalid('/url', 'A syslog server is syslog+tls://host:port or syslog+tcp://host:port')
  const { host, pathname, search, username } = new URL(url)
  if (host === '' || username !== '' || !['', '/'].includes(pathname) || search !== '') {
    throw invalid('/url', 'It has a host and a port, and nothing else')
  }
  return `http://${host}`
}

const requireSecret = ({ kind, secret }: Checked): void => {
  if (secret === undefined) return
  if (kind === 'syslog') throw invalid('/secret', 'A syslog server has none')
  if (kind === 'otlp') {
    if (!/^[\x20-\x7e]+$/.test(secret)) throw invalid('/secret', 'A header has printable ASCII characters alone')
    return
  }
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) || bytes < 24 || bytes > 64) {
    throw invalid('/secret', 'It is whsec_ and base64 of 24 to 64 bytes')
  }
  new Webhook(secret).sign('id', new Date(), '')
}

/** @throws destination_invalid */
const requireValid = ({ outbound }: Deps, checked: Checked): void => {
  try {
    outbound.check(hostUrl(checked.kind, checked.url))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw invalid('/url', messageOf(error))
  }
  requireSecret(checked)
}

const encrypt = ({ secrets }: Deps, id: string, secret: string): Buffer =>
  secrets.encrypt(`audit_destination|${id}|secret`, secret)

const startOf = async (db: Db, workspaceId: string, from: AddAuditDestination['from']) => {
  const { seq = 0, checkpoint_seq: signed = 0, cut_seq: cut = 0 } = await findChain(db, workspaceId) ?? {}
  return from === 'now'
    ? { position: seq, checkpoint_position: signed }
    : { position: cut, checkpoint_position: Math.max(0, cut - 1) }
}

/**
 * @returns its id, and the secret of a webhook if it was made here
 * @throws destination_invalid, too_many_destinations
 */
export const addDestination = async (deps: Deps, workspaceId: string, body: AddAuditDestination) => {
  const { name, kind, url, ca = null, sends, from } = body
  requireValid(deps, body)
  if (await countDestinations(deps.db, workspaceId) >= most) throw TooManyDestinations()
  const id = uuid()
  const made = kind === 'webhook' && body.secret === undefined ? `whsec_${randomBytes(32).toString('base64')}` : null
  const secret = made ?? body.secret
  // What was recorded before comes before it.
  await numberEntries(deps, workspaceId)
  const start = await startOf(deps.db, workspaceId, from)
  await insertDestination(deps.db, workspaceId, {
    id, name, kind, url, ca, sends, secret: secret === undefined ? null : encrypt(deps, id, secret), ...start
  })
  await enqueueDue(deps, forwardingKind, { workspace_id: workspaceId, id })
  return { id, secret: made }
}

/** @throws destination_not_found, destination_invalid */
export const changeDestination = async (deps: Deps, workspaceId: string, id: string, body: UpdateAuditDestination):
Promise<void> => {
  const row = await requireDestination(deps.db, workspaceId, id)
  const { secret, enabled, ...rest } = body
  requireValid(deps, { kind: row.kind, url: body.url ?? row.url, secret })
  await updateDestination(deps.db, workspaceId, id, {
    ...rest,
    ...(secret !== undefined && { secret: encrypt(deps, id, secret) }),
    ...(enabled !== undefined && { enabled, off_reason: null })
  })
  await enqueueDue(deps, forwardingKind, { workspace_id: workspaceId, id })
}

/** A letter of retention may name any number, and none of them is there any more. */
const atOnce = 100

const toResult = (sent: Sent) => ({ delivered: sent.ok, error: sent.ok ? null : sent.error })

/**
 * Sends what was set aside once more; delivered, it is no dead letter any more.
 * @throws destination_not_found, dead_letter_not_found
 */
export const resend = async (deps: Deps, workspaceId: string, destinationId: string, letterId: string) => {
  const row = await requireDestination(deps.db, workspaceId, destinationId)
  const letter = await findLetter(deps.db, workspaceId, destinationId, letterId)
  if (!letter) throw DeadLetterNotFound()
  const { what, from_seq: from, to_seq: to } = letter
  const items: Item[] = what === 'entries'
    ? (await listEntriesAfter(deps.db, workspaceId, {}, from - 1, to, atOnce)).map(toEntry)
    : (await listCheckpoints(deps.db, workspaceId, from - 1, to, atOnce)).map(toCheckpoint)
  if (items.length === 0) return { delivered: false, error: 'Retention has removed it' }
  const sent = await sendItems(deps, row, items, `audit_${row.id}_${what}_${from}_${to}`)
  if (sent.ok) await deleteLetter(deps.db, workspaceId, letterId)
  return toResult(sent)
}

/** Sends a message that says that it is a test. @throws destination_not_found */
export const sendTest = async (deps: Deps, workspaceId: string, destinationId: string) => {
  const row = await requireDestination(deps.db, workspaceId, destinationId)
  const test: Item = { type: 'test', at: new Date().toISOString(), workspace_id: workspaceId }
  return toResult(await sendItems(deps, row, [test], `audit_test_${uuid()}`))
}
