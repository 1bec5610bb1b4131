import type { FastifyInstance } from 'fastify'
import type { NewAttachment } from '../../../../db/agent/attachments.js'
import { ExtractionError } from 'steward-document-reader/extraction'
import { requireReadable } from 'steward-document-reader/media'
import { AttachmentTooLarge, AttachmentUnreadable } from '../errors.js'

type Deps = Pick<FastifyInstance, 'extractor'>

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
export const recognizeAttachment = async ({ extractor }: Deps, name: string, data: Buffer): Promise<Recognized> => {
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
