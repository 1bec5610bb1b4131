import type { Static, TSchema } from '@sinclair/typebox'
import { fieldsOf } from '../../schemas/unknown.js'
import type { Change, Target, Read } from './options.js'

/** Whether one acts on what the other acts on, or on what holds it. */
export const depends = (a: Target, b: Target): boolean => {
  const holds = (target: Target, id: string) => target.id === id || Object.values(target.within ?? {}).includes(id)
  return holds(a, b.id) || holds(b, a.id)
}

/** What a write that is yet to run will leave of its target: fields, as reads show them. */
export interface Left { id: string, fields: Readonly<Record<string, unknown>> }

/** @returns reads of the state that the writes will lead to: what they change is laid over the live answers */
export const readAfter = (read: Read, left: readonly Left[]): Read => left.length === 0
  ? read
  : async <T extends TSchema>(url: string, schema: T, dryRun?: object): Promise<Static<T>> => {
    const answer: unknown = await read(url, schema, dryRun)
    const { id } = fieldsOf(answer)
    const changed = left.filter((one) => one.id === id)
    // Of an answer that fits the schema, only fields of the tool's own kind of target change.
    return changed.reduce<unknown>((known, { fields }) => ({ ...fieldsOf(known), ...fields }), answer) as Static<T>
  }

type Values<F extends string> = { readonly [K in F]?: unknown }

/** @returns those of the fields that were sent */
export const sentFields = <F extends string>(fields: readonly F[], input: Values<F>): F[] =>
  fields.filter((field) => input[field] !== undefined)

/** @returns a row for each of the fields, under the field's own name */
export const fieldChanges = <F extends string>(fields: readonly F[], after: Values<F>, before: Values<F>): Change[] =>
  fields.map((field) => ({ label: field, field, before: before[field], after: after[field] }))
