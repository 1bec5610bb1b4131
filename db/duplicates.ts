import { codeOf, constraintOf } from '../schemas/thrown.js'

/**
 * The unique index stays with the queries of its table, which say by this that a row with the value exists.
 * @returns a predicate: whether an error is a violation of the index
 */
export const duplicateOf = (index: string) => (error: unknown): boolean =>
  codeOf(error) === '23505' && constraintOf(error) === index

/** @returns whether the error says that a row is still referred to, or refers to one that is not there */
export const isReferenceKept = (error: unknown): boolean => codeOf(error) === '23503'
