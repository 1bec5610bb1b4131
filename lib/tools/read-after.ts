import type { Static, TSchema } from '@sinclair/typebox'
import { fieldsOf } from '../../schemas/unknown.js'
import type { Read } from './options.js'

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
