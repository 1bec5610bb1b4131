import { Type, type Static } from '@sinclair/typebox'
import { Id, page, PageQuery, Timestamp, Words } from '../common.js'

/** Bytes of an image. */
export const maxImageBytes = 5 * 1_048_576
/** Pixels of a side, and of all: what a phone can show, and what networks take. */
export const maxImageSide = 16_384
export const maxImagePixels = 50_000_000
/** Bytes of a request: large enough that an image a little too large gets image_too_large. */
export const maxImageBody = 10 * 1_048_576

/** In pixels; a few, so that each is made once. */
export const imageWidths = [320, 640, 960, 1280, 1920, 2560] as const
export type ImageWidth = typeof imageWidths[number]

export const AddImage = Type.Object({
  project_id: Id,
  data: Type.String({
    minLength: 1, contentEncoding: 'base64', description: 'base64, up to 5 MiB: PNG, JPEG, GIF or WebP, by its bytes'
  })
}, { $id: 'AddImage', additionalProperties: false })
export type AddImage = Static<typeof AddImage>

export const ContentImage = Type.Object({
  id: Id,
  project_id: Id,
  url: Type.String({ description: 'For texts and media; strangers see it while a text that has it is published' }),
  media_type: Words(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const),
  width: Type.Integer({ description: 'In pixels, as browsers turn it' }),
  height: Type.Integer(),
  size: Type.Integer({ description: 'In bytes, as it is stored' }),
  sizes: Type.Array(Type.Object({ width: Type.Integer(), url: Type.String() }), {
    description: 'The widths below its own that it can be had in, such as for srcset'
  }),
  is_public: Type.Boolean({ description: 'Whether a text that has it is published, or on its way' }),
  created_at: Timestamp
}, { $id: 'ContentImage' })
export type ContentImage = Static<typeof ContentImage>

export const ImageParams = Type.Object({
  image_id: Type.String({ maxLength: 100, description: '<id>.png, .jpg, .gif or .webp, as its url has it' })
})

export const ImageSizeQuery = Type.Object({
  width: Type.Optional(Type.Unsafe<ImageWidth>({
    type: 'integer', enum: imageWidths, description: 'An image that is narrower stays as it is'
  }))
})

export const ContentImagePage = page(ContentImage, 'ContentImagePage')
export const ListImages = Type.Object({ ...PageQuery, project_id: Type.Optional(Id) })
export const ImageIdParams = Type.Object({ image_id: Id })
export const ImageHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ maxLength: 1000, description: 'The ETag that the reader holds' }))
})
