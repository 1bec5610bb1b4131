import type { FastifyInstance } from 'fastify'
import { ExtractionError } from 'steward-document-reader/extraction'
import { requireReadable } from 'steward-document-reader/media'
import { v7 as uuid } from 'uuid'
import {
  listAttachments, type NewAttachment, insertAttachment, sumAttachments, type AttachmentRow
} from '../../../../db/agent/attachments.js'
import { findOwnModel } from '../../../../db/agent/sessions.js'
import { decodeBase64 } from '../../../../lib/http/text.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { maxAttachmentBytes, type AddAttachment } from '../../../../schemas/agent/attachments.js'
import type { ChatRequest } from '../../../../schemas/agent/chat.js'
import {
  AttachmentNotFound, MessageTooLarge, AttachmentTooLarge, AttachmentUnreadable, AttachmentsFull
} from '../errors.js'
import type { Deps } from '../run/run-state.js'
import { type AttachmentBlock, windowOf } from '../window/weigh-context.js'

type RecognizeAttachmentDeps = Pick<FastifyInstance, 'extractor'>

/** What the bytes of a file are, and how they are kept. */
export type Recognized = Pick<NewAttachment, 'kind' | 'media_type' | 'tokens' | 'data'>

/** Limits of the Messages API: https://docs.claude.com/en/docs/build-with-claude/vision */
const maxPixels = 8_000
const pixelsPerToken = 750
const maxImageTokens = 1_600

/** A page is sent as text and as an image. */
const tokensPerPage = 3_000
const maxPages = 20

const maxCharacters = 150_000
const charactersPerToken = 3

const refuse = (code: string, message: string, define = AttachmentUnreadable) =>
  define(`The file ${message}`, { errors: [{ pointer: '/data', code, message }] })

/** What is no image either. */
const unreadable = ({ code, message }: ExtractionError) => {
  const detail = code === 'file_type_unsupported'
    ? 'It is neither PNG, JPEG, GIF or WebP, nor text, PDF, Word or HTML'
    : message
  return AttachmentUnreadable(detail, { errors: [{ pointer: '/data', code, message: detail }] })
}

/** @throws attachment_unreadable for an image whose header is broken */
const readImage = (data: Buffer) => {
  try {
    return requireReadable(data)
  } catch {
    throw refuse('image_broken', 'is an image that cannot be read: its size is not there')
  }
}

const recognizeImage = (data: Buffer): Recognized | undefined => {
  const image = readImage(data)
  if (!image) return undefined
  const { mediaType, width, height } = image
  if (Math.max(width, height) > maxPixels) {
    throw refuse('image_too_large', `is ${width} by ${height} pixels, and may have ${maxPixels} a side`)
  }
  const tokens = Math.min(maxImageTokens, Math.ceil(width * height / pixelsPerToken))
  return { kind: 'image', media_type: mediaType, tokens, data }
}

const tooManyPages = (pages: number) => refuse('too_many_pages',
  `has ${pages} pages, and may have ${maxPages}: attach the part that matters, or give it to a spec`)

const textOf = (text: string, mediaType: string): Recognized => {
  if (text.trim() === '') throw refuse('empty', 'has no text')
  if (text.length > maxCharacters) {
    const message = `has ${text.length} characters of text, and may have ${maxCharacters}`
    throw refuse('too_long', message, AttachmentTooLarge)
  }
  const tokens = Math.ceil(text.length / charactersPerToken)
  return { kind: 'text', media_type: mediaType, tokens, data: Buffer.from(text) }
}

/**
 * Finds out what a file is by its bytes, whatever its name says.
 * @throws attachment_unreadable, attachment_too_large, with a pointer
 */
const recognizeAttachment = async ({ extractor }: RecognizeAttachmentDeps, name: string, data: Buffer): Promise<Recognized> => {
  const image = recognizeImage(data)
  if (image) return image
  try {
    const { text, media_type: mediaType, pages } = await extractor.extract({ data, filename: name, mediaType: '' })
    if (pages === null) return textOf(text, mediaType)
    if (pages > maxPages) throw tooManyPages(pages)
    return { kind: 'pdf', media_type: 'application/pdf', tokens: pages * tokensPerPage, data }
  } catch (error) {
    throw error instanceof ExtractionError ? unreadable(error) : error
  }
}

type AddAttachmentDeps = Pick<FastifyInstance, 'db' | 'extractor'>

/** Bytes that one person may have attached, in all sessions. */
const maxPerPerson = 500_000_000

const pointer = '/data'

const decode = (data: string): Buffer => {
  const bytes = decodeBase64(data)
  if (bytes) return bytes
  throw AttachmentUnreadable(undefined, { errors: [{ pointer, code: 'not_base64', message: 'is not base64' }] })
}

/**
 * Stores a file for a message that comes next.
 * @throws attachment_unreadable, attachment_too_large, attachments_full
 */
export const addAttachment = async (deps: AddAttachmentDeps, { workspace_id, user_id }: Principal, { name, data }: AddAttachment):
Promise<AttachmentRow> => {
  const bytes = decode(data)
  if (bytes.length > maxAttachmentBytes) {
    const message = `has ${bytes.length} bytes, and may have ${maxAttachmentBytes}`
    throw AttachmentTooLarge(undefined, { errors: [{ pointer, code: 'attachment_too_large', message }] })
  }
  const recognized = await recognizeAttachment(deps, name, bytes)
  const size = recognized.data.length
  if (await sumAttachments(deps.db, workspace_id, user_id) + size > maxPerPerson) throw AttachmentsFull()
  return insertAttachment(deps.db, { workspace_id, id: uuid(), user_id, name, size, ...recognized })
}

/** What of the model's window the files of one message may take. */
const part = 0.3

const attachPointer = '/attachment_ids'

type Message = Pick<ChatRequest, 'attachment_ids' | 'session_id' | 'model'>

/** @returns the model that will be asked: that of the session, which the message may choose where it begins one */
const modelOf = async ({ db, llm }: Deps, { workspace_id, user_id }: Principal, { session_id, model }: Message):
Promise<string> => {
  const own = session_id === undefined ? model : await findOwnModel(db, workspace_id, user_id, session_id)
  return own ?? llm.modelOf(workspace_id)
}

/**
 * @returns the blocks of a message's files, in the order that was asked for
 * @throws attachment_not_found, message_too_large
 */
export const attach = async (deps: Deps, principal: Principal, message: Message): Promise<AttachmentBlock[]> => {
  const { workspace_id, user_id } = principal
  const ids = message.attachment_ids ?? []
  if (ids.length === 0) return []
  const found = new Map((await listAttachments(deps.db, workspace_id, user_id, ids)).map((row) => [row.id, row]))
  const blocks = ids.map((id, index) => {
    const row = found.get(id)
    if (row) return { type: 'attachment' as const, ...row }
    const error = { pointer: `${attachPointer}/${index}`, code: 'attachment_not_found', message: 'is no file of yours' }
    throw AttachmentNotFound(undefined, { errors: [error] })
  })
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0)
  const most = Math.floor(windowOf(deps, principal.workspace_id, await modelOf(deps, principal, message)) * part)
  if (tokens <= most) return blocks
  const complaint = `weigh some ${tokens} tokens together, and may weigh ${most}`
  throw MessageTooLarge(`The files ${complaint}`,
    { errors: [{ pointer: attachPointer, code: 'message_too_large', message: complaint }] })
}
