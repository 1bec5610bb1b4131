import type { Arguments, Read } from '../../../plugins/tool-options.js'
import { changedRows, show, type WriteTool } from './show.js'

export const contentUrl = (args: Arguments) => `/content/${encodeURIComponent(String(args.content_id))}`

export const titleOf = async (args: Arguments, read: Read) => String((await read(contentUrl(args))).title)

export const createContentTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Create the ${String(args.channel)} draft "${String(args.title)}"`,
  preview: (args) => changedRows(args, {}, [])
}

export const replaceContentTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Write a new draft version of "${await titleOf(args, read)}"; nothing is published`,
  preview: async (args, read) => changedRows(args, await read(contentUrl(args)), ['content_id'])
}

export const transitionContentTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Move "${await titleOf(args, read)}" to ${String(args.to)}`,
  async preview (args, read) {
    const before = await read(contentUrl(args))
    return [
      { label: 'status', before: String(before.status), after: args.to === 'restore' ? null : String(args.to) },
      { label: 'version', before: String(before.head_version), after: String(before.head_version) },
      ...(args.comment === undefined ? [] : [{ label: 'comment', before: null, after: show(args.comment) }])
    ]
  }
}

export const deleteContentTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Delete "${await titleOf(args, read)}"`,
  async preview (args, read) {
    const { title, status } = await read(contentUrl(args))
    return [{ label: 'content', before: `${String(title)} (${String(status)})`, after: null }]
  }
}

export const decideSuggestionTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) =>
    `${args.accept === true ? 'Accept' : 'Reject'} a suggestion for "${await titleOf(args, read)}"`,
  async preview (args, read) {
    // The record as getContent answers it.
    const all = (await read(contentUrl(args))).suggestions as Arguments[]
    const found = all.find(({ id }) => id === args.suggestion_id)
    return [{ label: show(found?.target) ?? 'text', before: show(found?.before), after: show(found?.text) }]
  }
}

export const undeleteContentTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Bring back the deleted content ${String(args.content_id)}`,
  preview: (args) => [{ label: 'content', before: null, after: String(args.content_id) }]
}

export const restoreVersionTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) =>
    `Make version ${String(args.version)} of "${await titleOf(args, read)}" the newest one, as a draft`,
  async preview (args, read) {
    const { head_version: head } = await read(contentUrl(args))
    const old = await read(`${contentUrl(args)}?version=${String(args.version)}`)
    const now = await read(contentUrl(args))
    return [
      { label: 'version', before: String(head), after: String(Number(head) + 1) },
      ...changedRows({ title: old.title, body_markdown: old.body_markdown }, now, [])
    ]
  }
}
