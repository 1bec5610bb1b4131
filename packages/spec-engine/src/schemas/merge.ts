import { Type, type Static } from '@sinclair/typebox'
import { Words } from './fields.js'

/** A generation's change to something that a person has edited; an edit accepts it. */
export const Suggestion = Type.Object({
  target: Type.String({ maxLength: 80, description: 'An id such as FR-003, or sections.<key>' }),
  op: Words(['replace', 'retire'], { description: 'What an edit would have to say to take it' }),
  value: Type.Unknown({ description: 'The proposed item or section; null for retire' }),
  reason: Type.String({ maxLength: 1000 })
}, { $id: 'Suggestion', additionalProperties: false })
export type Suggestion = Static<typeof Suggestion>
