import type { App } from './app.js'

/** Tables that a write changes for being recorded; rows move on from the first to the second by themselves. */
export const recordTables = ['audit', 'audit_entry', 'audit_chain', 'audit_checkpoint', 'audit_key']

const columns = ['workspace_id', 'id', 'at', 'kind', 'operation', 'target', 'outcome', 'status', 'user_id', 'via',
  'via_id', 'remote_address', 'request_id'] as const

/** @returns what is recorded, whether it is numbered yet or not, as a table to select from */
export const fromRecord = ({ db }: Pick<App, 'db'>) => db.selectFrom((eb) => eb.selectFrom('audit').select(columns)
  .unionAll(eb.selectFrom('audit_entry').select(columns)).as('audit'))
