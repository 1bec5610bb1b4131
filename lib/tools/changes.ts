import type { Change } from './options.js'

type Values<F extends string> = { readonly [K in F]?: unknown }

/** @returns those of the fields that were sent */
export const sentFields = <F extends string>(fields: readonly F[], input: Values<F>): F[] =>
  fields.filter((field) => input[field] !== undefined)

/** @returns a row for each of the fields, under the field's own name */
export const fieldChanges = <F extends string>(fields: readonly F[], after: Values<F>, before: Values<F>): Change[] =>
  fields.map((field) => ({ label: field, field, before: before[field], after: after[field] }))
