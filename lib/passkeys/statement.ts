import type { Statement } from '../../schemas/account/signed-statement.js'
import { digestOf } from '../record/canonical.js'

/** @returns the challenge that a passkey signs for the statement */
export const challengeOf = (statement: Statement): string =>
  Buffer.from(digestOf(statement), 'hex').toString('base64url')
