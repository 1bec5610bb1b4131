import { codeOf, constraintOf } from '../schemas/unknown.js'

/**
 * The unique index stays with the queries of its table, which say by this that a row with the value exists.
 * @returns a predicate: whether an error is a violation of the index
 */
export const duplicateOf = (index: string) => (error: unknown): boolean =>
  codeOf(error) === '23505' && constraintOf(error) === index

/** @returns whether the error says that a row is still referred to, or refers to one that is not there */
export const isReferenceKept = (error: unknown): boolean => codeOf(error) === '23503'

/**
 * SQLSTATEs of a server that is unreachable, full, stopping, timing out or a standby; none of an invalid statement.
 */
const states = /^(08|53|57|58)...$|^(25006|25P03|40001|40P01|55P03)$/

const network = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND',
  'EAI_AGAIN'
])

/** Errors that `pg` itself raises have no code. */
const messages = new RegExp(['timeout exceeded when trying to connect', 'Connection terminated', 'Query read timeout',
  'is not queryable', 'Cannot use a pool after calling end'].join('|'))

/**
 * @returns whether the database, or the way to it, failed, and not what was asked of it. What was asked may have been
 *   done all the same: a connection that breaks during a commit does not say.
 */
export const isConnectionError = (error: unknown): boolean => {
  // Whatever is thrown is read with care: every field may be missing.
  const { code = '', message = '' } = (error ?? {}) as { code?: string, message?: string }
  return states.test(code) || network.has(code) || messages.test(message)
}

/** SQLSTATEs among those above by which a server that goes on says that it has undone a statement. */
const undone = /^(40001|40P01|55P03|57014)$/

/** @returns whether the server answered that it has undone the statement, and can do the next */
export const isUndone = (error: unknown): boolean => {
  const { code = '' } = (error ?? {}) as { code?: string }
  return undone.test(code) || !isConnectionError(error)
}

/** @returns whether a statement was ended because it waited for others: it may be tried again */
export const isContended = (error: unknown): boolean => {
  const { code = '' } = (error ?? {}) as { code?: string }
  return /^(55P03|40P01|57014)$/.test(code)
}
