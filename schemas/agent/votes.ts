import { Type, type Static } from '@sinclair/typebox'
import { PersonName } from '../account/person-name.js'
import { Id, Nullable, Timestamp, Words } from '../common.js'

export const Vote = Type.Object({
  person: PersonName,
  on_behalf_of: Nullable(PersonName),
  decision: Words(['approve', 'reject']),
  reason: Nullable(Type.String()),
  via: Words(['browser', 'token', 'assistant']),
  counts: Type.Boolean({ description: 'Whether it counts now: its person may still approve, and it is for this plan' }),
  at: Timestamp
}, { $id: 'Vote', description: 'What one person said to a question' })
export type Vote = Static<typeof Vote>

/** How far a question has come. */
export const standing = {
  votes: Type.Array(Vote),
  missing: Type.Integer({ minimum: 0, description: 'How many people still have to approve' }),
  waits_for: Nullable(Type.String({ description: 'In words, such as "1 more of group Operations"; null = for nobody' }))
}

export const Approvers = Type.Object({
  groups: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'Whose people count now; empty = whoever may approve such a write'
  }),
  people: Type.Integer({ description: 'How many people may approve it now; 1000 means 1000 or more' })
}, { $id: 'Approvers', description: 'Who may approve it' })
export type Approvers = Static<typeof Approvers>
