import { textIn } from './unknown.js'

/** @returns the message of what was thrown, for a log line */
export const messageOf = (thrown: unknown): string => textIn(thrown, 'message') ?? ''

/** @returns the code of the system, of the database, or of an error of ours */
export const codeOf = (thrown: unknown): string | undefined => textIn(thrown, 'code')

/** A distributed database names that of one shard, in the message alone: `agent_run_live_102008`. */
const named = /constraint "(\w+?)(?:_\d{6,})?"/

/** @returns the constraint of the database that refused a row */
export const constraintOf = (thrown: unknown): string | undefined =>
  textIn(thrown, 'constraint') ?? named.exec(messageOf(thrown))?.[1]
