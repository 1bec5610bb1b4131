import { Type, type Static } from '@sinclair/typebox'
import { Id, maxInteger, VersionNumber, Words } from '../common.js'
import { ContentMedia } from 'steward-prose-engine/schemas'
import { targetKinds } from './targets.js'

export const RenderedPart = Type.Object({
  name: Type.String({ description: 'Such as title, html, file, post 1' }),
  media_type: Words(['text/plain', 'text/markdown', 'text/html', 'application/json'] as const),
  text: Type.String({ description: 'As the target gets it, byte for byte' }),
  marks: Type.Optional(Type.Array(Type.Object({
    kind: Words(['link', 'tag', 'mention', 'plain_mention'] as const, {
      description: 'plain_mention: it stays text there, and nobody is notified'
    }),
    start: Type.Integer({ minimum: 0, description: 'In UTF-16 units' }),
    end: Type.Integer({ minimum: 0 })
  }), { description: 'Of a post: what the network makes of its parts' }))
}, { $id: 'RenderedPart' })
export type RenderedPart = Static<typeof RenderedPart>

export const RenderingProblem = Type.Object({
  code: Words(['dead_link', 'missing_alt', 'too_long', 'nothing_to_show', 'too_many_images', 'image_too_large',
    'alt_too_long'] as const, {
    description: 'dead_link: leads nowhere from there; missing_alt: an image without a text; too_long, ' +
      'too_many_images, image_too_large and alt_too_long: for its network'
  }),
  part: Type.String({ description: 'The name of the part' }),
  address: Type.String({ description: 'The link or the image as it stands there; empty where it is about the whole' })
}, { $id: 'RenderingProblem' })
export type RenderingProblem = Static<typeof RenderingProblem>

export const ContentRendering = Type.Object({
  target_id: Id,
  target_name: Type.String(),
  kind: Words(targetKinds),
  destination: Type.String({ description: 'Where the target sends, in words' }),
  parts: Type.Array(RenderedPart),
  images: Type.Array(ContentMedia, { description: 'What goes with the first post, or is the featured image' }),
  problems: Type.Array(RenderingProblem)
}, { $id: 'ContentRendering' })
export type ContentRendering = Static<typeof ContentRendering>

export const ContentRenderings = Type.Object({
  version: VersionNumber,
  items: Type.Array(ContentRendering)
}, { $id: 'ContentRenderings' })
export type ContentRenderings = Static<typeof ContentRenderings>

export const RenderingsQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' })),
  target_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Default: every target that would get it' }))
})
export type RenderingsQuery = Static<typeof RenderingsQuery>
