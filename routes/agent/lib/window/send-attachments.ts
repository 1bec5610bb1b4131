import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { readAttachments } from '../../../../db/agent/attachments.js'
import { fileOf, type AttachmentBlock } from './weigh-context.js'
import type { Deps, RunState } from '../run/run-state.js'

/** The Messages API takes more images only if they are small, and 32 MB in a request. */
const maxSent = 20
const maxBytes = 20_000_000

const attachmentsIn = (messages: readonly MessageParam[]): AttachmentBlock[] =>
  messages.flatMap(({ role, content }) => role === 'user' && typeof content !== 'string'
    ? content.flatMap((block) => fileOf(block) ?? [])
    : [])

/** @returns the ids of the newest that fit into one request */
const chooseNewest = (blocks: readonly AttachmentBlock[]): Set<string> => {
  const chosen = new Set<string>()
  let bytes = 0
  for (const { id, size } of blocks.toReversed()) {
    if (chosen.has(id)) continue
    bytes += size
    if (bytes > maxBytes || chosen.size >= maxSent) break
    chosen.add(id)
  }
  return chosen
}

const nameOf = ({ name }: AttachmentBlock): string => JSON.stringify(name)

/** What is not sent any more, is gone with the session that it was first sent in, or cannot be read by the server. */
const lineFor = (block: AttachmentBlock, { withoutFiles }: RunState): ContentBlockParam => ({
  type: 'text',
  text: withoutFiles
    ? `[The file ${nameOf(block)} could not be read. Say so, and ask for it in another form.]`
    : `[The file ${nameOf(block)} is left out here. Ask for it again if you need it.]`
})

/** @returns the block as the API takes it; no text can end the block it is in, as the id is not known to its author */
const toSent = (block: AttachmentBlock, data: Buffer): ContentBlockParam[] => {
  const { id, kind, media_type } = block
  if (kind === 'text') {
    const text = `<attachment id="${id}" name=${nameOf(block)}>\n${data.toString()}\n</attachment ${id}>`
    return [{ type: 'text', text }]
  }
  const named: ContentBlockParam = { type: 'text', text: `The file ${nameOf(block)}:` }
  const base64 = data.toString('base64')
  if (kind === 'pdf') {
    return [named, { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } }]
  }
  // Stored only as one of these four.
  const type = media_type as 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  return [named, { type: 'image', source: { type: 'base64', media_type: type, data: base64 } }]
}

const readMissing = async (deps: Deps, { key, attachments }: RunState, blocks: readonly AttachmentBlock[]):
Promise<RunState['attachments']> => {
  const chosen = chooseNewest(blocks)
  const missing = [...chosen].filter((id) => !attachments.has(id))
  const rows = missing.length > 0 ? await readAttachments(deps.db, key.workspace_id, missing) : []
  const bytes = new Map(rows.map(({ id, data }) => [id, Buffer.from(data)]))
  const read = blocks.flatMap((block) => {
    const data = bytes.get(block.id)
    return data ? [[block.id, toSent(block, data)] as const] : []
  })
  return new Map([...attachments, ...read].filter(([id]) => chosen.has(id)))
}

/**
 * Puts the files into the messages that are sent. What was made of them is kept for the run, so that each of its
 * requests has the same bytes. A conversation without files costs a look at its messages.
 */
export const sendAttachments = async (deps: Deps, state: RunState): Promise<MessageParam[]> => {
  const blocks = attachmentsIn(state.messages)
  if (blocks.length === 0) return state.messages
  state.attachments = await readMissing(deps, state, blocks)
  const replace = (block: ContentBlockParam): ContentBlockParam[] => {
    const file = fileOf(block)
    if (!file) return [block]
    return state.withoutFiles ? [lineFor(file, state)] : state.attachments.get(file.id) ?? [lineFor(file, state)]
  }
  return state.messages.map((message) => message.role === 'user' && typeof message.content !== 'string'
    ? { role: message.role, content: message.content.flatMap(replace) }
    : message)
}
