import { Type, type Static } from '@sinclair/typebox'
import { Id, maxInteger, Nullable, VersionNumber } from '../common.js'
import { Revision } from '../revisions.js'
import { ContentDiff } from './contents.js'

export const SetTranslation = Type.Object({
  source_id: Nullable(Type.Unsafe<string>({ ...Id, description: 'The record that this one translates; null = none' })),
  source_version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'The version that this one corresponds to; default: the newest'
  }))
}, { $id: 'SetContentTranslation', additionalProperties: false })
export type SetTranslation = Static<typeof SetTranslation>

const Linked = Type.Object({
  id: Id, title: Type.String(), locale: Type.String(), head_version: VersionNumber
})

export const ContentTranslation = Type.Object({
  content_id: Id,
  source: Nullable(Linked),
  source_version: Nullable(VersionNumber),
  source_changed: Type.Boolean({ description: 'The text of the source is another one since' }),
  changes: Nullable(ContentDiff),
  translations: Type.Array(Type.Object({ ...Linked.properties, source_changed: Type.Boolean() }), {
    description: 'Of this record, a hundred at most'
  }),
  revision: Revision
}, { $id: 'ContentTranslation' })
export type ContentTranslation = Static<typeof ContentTranslation>
