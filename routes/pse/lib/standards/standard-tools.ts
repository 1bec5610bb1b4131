import { Value } from '@sinclair/typebox/value'
import { fieldChanges } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Read, type Target } from '../../../../lib/tools/options.js'
import { ApiError, NotFound } from '../../../../schemas/errors.js'
import { keysOf } from '../../../../schemas/unknown.js'
import { etag } from '../../../../schemas/revisions.js'
import {
  CreateStandard, PutStandard, Standard, StandardContent, StandardParams
} from '../../../../schemas/pse/standards.js'
import { KeyTaken } from './resolve-standards.js'

const readStandard = (name: string, read: Read) => read(`/pse/standards/${encodeURIComponent(name)}`, Standard)

/** @returns whether a standard that is in use has the key */
const hasKey = async (key: string, read: Read): Promise<boolean> => {
  try {
    const found = await readStandard(key, read)
    return found.key === key && found.status !== 'archived'
  } catch (error) {
    if (error instanceof ApiError && error.code === NotFound.code) return false
    throw error
  }
}

const targetOf = ({ standard_id: id, key, title }: Standard): Target => ({ kind: 'standard', id, names: [key, title] })

const titleOf = ({ title, key }: Standard) => `${title} (${key})`

const fields = keysOf(StandardContent.properties)

/** A write replaces the whole standard: an absent field gets its default. */
const written = (input: object): Partial<StandardContent> =>
  // Value.Default fills in missing fields and keeps the others.
  Value.Default(StandardContent, structuredClone(input)) as Partial<StandardContent>

export const createStandardTool = defineWriteTool({
  input: { body: CreateStandard },
  reads: ['getStandard'],
  basis: 'The standard that is copied, where one is, and that none has the key: the rest is all in the arguments',
  additive: true,
  async plan (input, read) {
    if (input.key !== undefined && await hasKey(input.key, read)) throw KeyTaken()
    const original = input.clone_of === undefined ? undefined : await readStandard(input.clone_of, read)
    const after = original ? { ...original, ...input } : written(input)
    const given = original ? fields : fields.filter((name) => input[name] !== undefined || name === 'scope')
    return {
      target: { kind: 'standard', id: `new:${input.key ?? input.title ?? original?.key}` },
      summary: original ? `Copy the standard ${titleOf(original)}` : `Add the standard ${input.title}`,
      changes: [
        { label: 'key', field: ['key', 'clone_of'], before: null, after: input.key },
        ...fieldChanges(given, after, {})
      ],
      args: original ? { ...input, clone_of: original.standard_id } : { ...input },
      facts: { copied_version: original?.version ?? null },
      risk: ['only_adds']
    }
  }
})

export const replaceStandardTool = defineWriteTool({
  input: { params: StandardParams, body: PutStandard },
  reads: ['getStandard'],
  basis: 'The version that is replaced: it is replaced as a whole',
  async plan (input, read) {
    const before = await readStandard(input.standard, read)
    return {
      target: targetOf(before),
      summary: `Change the standard ${titleOf(before)}`,
      changes: [
        { label: 'version', field: 'version', before: before.version, after: before.version + 1, context: true },
        { label: 'status', field: 'status', before: before.status, after: input.status ?? before.status },
        ...fieldChanges(fields, written(input), before)
      ],
      // The route rejects read-only fields that differ from the current values.
      covered: ['standard_id', 'key', 'revision', 'source', 'created_by', 'created_at', 'updated_at'],
      args: { ...input, standard: before.standard_id },
      facts: { revision: before.revision },
      ifMatch: etag(before.revision),
      risk: ['changes_settings']
    }
  }
})

export const deleteStandardTool = defineWriteTool({
  input: { params: StandardParams },
  reads: ['getStandard'],
  basis: 'The version that is in use, and its status',
  async plan ({ standard: name }, read) {
    const before = await readStandard(name, read)
    return {
      target: targetOf(before),
      summary: `Archive the standard ${titleOf(before)}`,
      changes: [
        { label: 'standard', before: titleOf(before), after: null, context: true },
        { label: 'status', before: before.status, after: 'archived' }
      ],
      args: { standard: before.standard_id },
      facts: { version: before.version, status: before.status },
      ifMatch: etag(before.revision),
      risk: ['withdraws_standard']
    }
  },
  reconcile: async ({ standard }, read) =>
    (await readStandard(standard, read)).status === 'archived' ? 'done' : 'not_done'
})
