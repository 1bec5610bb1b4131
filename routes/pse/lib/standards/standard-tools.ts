import { isDeepStrictEqual } from 'node:util'
import { Value } from '@sinclair/typebox/value'
import type { Arguments, PreviewRow, Read } from '../../../../plugins/tool-options.js'
import { StandardContent } from '../../../../schemas/pse/standards.js'
import { show, type WriteTool } from '../session-tools.js'

const url = ({ standard }: Arguments) => `/pse/standards/${encodeURIComponent(String(standard))}`

const titleOf = async (args: Arguments, read: Read): Promise<string> => {
  const { title, key } = await read(url(args))
  return `${String(title)} (${String(key)})`
}

const fields = Object.keys(StandardContent.properties)

/** A standard is written as a whole: what is left out is what the schema says it is then. */
const written = (args: Arguments): Arguments =>
  // The route has checked the arguments against its schemas before this runs.
  Value.Default(StandardContent, structuredClone(args)) as Arguments

const changes = (args: Arguments, before: Arguments): PreviewRow[] => {
  const after = written(args)
  return fields.filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => ({ label: name, before: show(before[name]), after: show(after[name]) }))
}

export const createStandardTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => args.clone_of === undefined
    ? `Add the standard ${String(args.title)}`
    : `Copy the standard ${String(args.clone_of)}`,
  async preview (args, read) {
    const isClone = args.clone_of !== undefined
    const original = isClone ? await read(url({ standard: args.clone_of })) : {}
    const after: Arguments = { ...(isClone ? original : written(args)), key: undefined, ...args }
    return ['key', ...fields].filter((name) => isClone || args[name] !== undefined || name === 'scope')
      .map((name) => ({ label: name, before: null, after: show(after[name]) }))
  }
}

export const replaceStandardTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Change the standard ${await titleOf(args, read)}`,
  async preview (args, read) {
    const before = await read(url(args))
    const status = args.status !== undefined && args.status !== before.status
    return [
      { label: 'version', before: show(before.version), after: String(Number(before.version) + 1) },
      ...(status ? [{ label: 'status', before: show(before.status), after: show(args.status) }] : []),
      ...changes(args, before)
    ]
  }
}

export const deleteStandardTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Archive the standard ${await titleOf(args, read)}`,
  preview: async (args, read) => [{ label: 'standard', before: await titleOf(args, read), after: null }],
  reconcile: async (args, read) => (await read(url(args))).status === 'archived' ? 'done' : 'not_done'
}
