import { Type, type Static } from '@sinclair/typebox'
import { Words } from '../common.js'

/** What a generation would change about something that a person has changed: taken by an edit, or left. */
export const Suggestion = Type.Object({
  target: Type.String({ maxLength: 80, description: 'An id such as FR-003, or sections.<key>' }),
  op: Words(['replace', 'retire'], { description: 'What an edit would have to say to take it' }),
  value: Type.Unknown({ description: 'The proposed item or section; null for retire' }),
  reason: Type.String({ maxLength: 1000 })
}, { $id: 'Suggestion', additionalProperties: false })
export type Suggestion = Static<typeof Suggestion>
