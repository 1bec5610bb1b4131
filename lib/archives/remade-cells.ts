import { createHash } from 'node:crypto'
import type { ArchivedRow } from '../../db/archive-rows.js'
import { hashOfRules } from '../../db/content/brands.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { newExternalId } from '../aws/sessions.js'
import type { TableStart } from './format.js'

/** The cells of a row by the names of their columns: those that the archive has. */
type Row = Map<string, string | null>

/** PostgreSQL reads it as the time of the transaction. */
const now = 'now'

const setIfNull = (row: Row, name: string, value: string): void => {
  if (row.get(name) === null) row.set(name, value)
}

const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')

/** @returns a JSON cell with these fields in it instead */
const withFields = (text: string | null | undefined, fields: Record<string, unknown>): string =>
  JSON.stringify({ ...fieldsOf(JSON.parse(text ?? '{}')), ...fields })

const remakeAuth = (text: string | null | undefined): string => {
  const { type } = fieldsOf(JSON.parse(text ?? '{}'))
  return type === 'assume_role' ? withFields(text, { external_id: newExternalId() }) : String(text)
}

/**
 * What is not taken from an archive, by table: what Steward itself made or found out, what points out of the workspace,
 * and what lets somebody act here.
 */
const remakes: Record<string, (row: Row) => void> = {
  account_token: (row) => { setIfNull(row, 'revoked_at', now) },
  account_session: (row) => { setIfNull(row, 'ended_at', now) },
  account_link: (row) => { if (row.get('used_at') === null) row.set('expires_at', now) },
  account_delegation: (row) => { setIfNull(row, 'revoked_at', now) },
  agent_grant: (row) => { setIfNull(row, 'ended_at', now) },
  channel: (row) => { row.set('confirmed_at', null).set('code_hash', null).set('code_until', null) },
  cloud_account: (row) => {
    row.set('auth', remakeAuth(row.get('auth'))).set('capabilities', '{}').set('last_test', null)
      .set('session_marks', null)
    if (row.get('status') !== 'disabled') row.set('status', 'unverified')
  },
  content_image: (row) => {
    const data = row.get('data') ?? null
    row.set('object_key', null)
    // Without its bytes it is an image that nobody sees; its hash must be no other's.
    row.set('hash', data === null ? sha256(`lost ${row.get('id')}`) : sha256(bytesOf(data)))
    if (data !== null) row.set('size', String(bytesOf(data).length))
  },
  content_style: (row) => {
    const rules: unknown = JSON.parse(row.get('rules') ?? '[]')
    row.set('hash', hashOfRules(Array.isArray(rules) ? rules : []))
  },
  deployment_app: (row) => { row.set('auto_deploy', withFields(row.get('auto_deploy'), { enabled: false })) }
}

/** The cells of one table of which an archive is not believed. */
export class RemadeCells {
  readonly #remake: ((row: Row) => void) | undefined

  constructor (private readonly start: TableStart) {
    this.#remake = remakes[start.table]
  }

  /** @returns the row as it is written here: with the archive's columns, and no other */
  remake (row: ArchivedRow): ArchivedRow {
    if (!this.#remake) return row
    const cells: Row = new Map(this.start.columns.map((name, at) => [name, row[at] ?? null]))
    this.#remake(cells)
    return this.start.columns.map((name) => cells.get(name) ?? null)
  }
}
