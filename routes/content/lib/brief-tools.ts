import type { Arguments, Read } from '../../../plugins/tool-options.js'
import { changedRows, type WriteTool } from './show.js'

const url = (args: Arguments) => `/content/briefs/${encodeURIComponent(String(args.brief_id))}`

const titleOf = async (args: Arguments, read: Read) => String((await read(url(args))).title)

export const createBriefTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Create the brief "${String(args.title)}"`,
  preview: (args) => changedRows(args, {}, [])
}

export const replaceBriefTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Change the brief "${await titleOf(args, read)}"`,
  preview: async (args, read) => changedRows(args, await read(url(args)), ['brief_id'])
}

export const transitionBriefTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Move the brief "${await titleOf(args, read)}" to ${String(args.to)}`,
  preview: async (args, read) =>
    [{ label: 'status', before: String((await read(url(args))).status), after: String(args.to) }]
}

export const archiveBriefTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Archive the brief "${await titleOf(args, read)}"`,
  preview: async (args, read) =>
    [{ label: 'status', before: String((await read(url(args))).status), after: 'archived' }]
}
