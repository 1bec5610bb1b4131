import type { AuditKind } from '../../db/types.js'
import { digestOf } from './canonical.js'

/** What stands before the first entry. */
export const noHash = '0'.repeat(64)

/** An entry as it is hashed, exported and sent; its hash is that of all else in it, the hash before it included. */
export interface Entry {
  type: 'entry'
  workspace_id: string
  seq: number
  id: string
  /** RFC 3339, UTC, to the millisecond. */
  at: string
  kind: AuditKind
  write_id: string
  operation: string
  target: string | null
  outcome: string
  status: number | null
  user_id: string | null
  via: string
  via_id: string | null
  remote_address: string | null
  request_id: string
  body: Record<string, unknown> | null
  previous: string
  hash: string
}

export const hashOf = ({ hash: _, ...entry }: Entry): string => digestOf(entry)

/** @returns the entry with its hash */
export const linkEntry = (entry: Omit<Entry, 'type' | 'hash'>): Entry => {
  const whole = { type: 'entry' as const, ...entry }
  return { ...whole, hash: digestOf(whole) }
}
