import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'

export const ContentSuggestion = Type.Object({
  id: Id,
  generation_id: Id,
  target: Type.String({ description: 'Which text: title, intro, section:<slug>, post:<number>, body_markdown …' }),
  before: Type.String({ description: 'What a person wrote, as it was when this was suggested' }),
  text: Type.String({ description: 'What the model would write' }),
  status: Words(['open', 'accepted', 'rejected'] as const),
  decided_by: Nullable(Id),
  decided_at: Nullable(Timestamp),
  created_at: Timestamp
}, { $id: 'ContentSuggestion' })
export type ContentSuggestion = Static<typeof ContentSuggestion>

export const DecideSuggestion = Type.Object({
  accept: Type.Boolean({ description: 'true: a new draft version with the text; false: it is put aside' })
}, { $id: 'DecideSuggestion', additionalProperties: false })
export type DecideSuggestion = Static<typeof DecideSuggestion>

export const SuggestionParams = Type.Object({ content_id: Id, suggestion_id: Id })
