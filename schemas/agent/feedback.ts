import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'

export const ratings = ['good', 'bad'] as const

export const Feedback = Type.Object({
  rating: Words(ratings),
  comment: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })))
}, { $id: 'Feedback', additionalProperties: false })
export type Feedback = Static<typeof Feedback>

export const GivenFeedback = Type.Object({
  rating: Words(ratings), comment: Nullable(Type.String())
}, { $id: 'GivenFeedback' })

export const FeedbackEntry = Type.Object({
  id: Id,
  user_id: Id,
  session_id: Id,
  message_id: Id,
  model: Type.String({ description: 'The session\'s present one' }),
  ...GivenFeedback.properties,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'FeedbackEntry' })

export const FeedbackPage = page(FeedbackEntry, 'FeedbackPage')
export const ListFeedback = Type.Object(PageQuery)
export const FeedbackParams = Type.Object({ session_id: Id, message_id: Id })
