import { Type, type Static } from '@sinclair/typebox'
import { TextStatement, verdicts } from 'steward-prose-engine/schemas'
import { PersonName } from '../account/users.js'
import { maxInteger, Nullable, Timestamp } from '../common.js'
import { byKey } from '../unknown.js'

const closed = { additionalProperties: false }

export const ContentStatement = Type.Object({
  ...TextStatement.properties,
  accepted: Nullable(Type.Object({
    by: PersonName, at: Timestamp, because: Nullable(Type.String())
  }, { description: 'Who has taken the statement on themselves; it holds as long as its words stay' }))
}, { $id: 'ContentStatement' })
export type ContentStatement = Static<typeof ContentStatement>

const Count = Type.Integer({ minimum: 0 })

export const ContentStatements = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  counts: Type.Object(byKey([...verdicts, 'unchecked'], () => Count)),
  open: Type.Integer({ minimum: 0, description: 'Do not follow and nobody has accepted them: they keep the text unapproved' }),
  items: Type.Array(ContentStatement, { maxItems: 1000 }),
  omitted: Type.Integer({ minimum: 0, description: 'How many after the first thousand are not shown; `counts` has them' })
}, { $id: 'ContentStatements' })
export type ContentStatements = Static<typeof ContentStatements>

export const StatementsQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' }))
})

export const AcceptStatement = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'As listContentStatements shows it' }),
  because: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }))
}, { $id: 'AcceptStatement', ...closed })
export type AcceptStatement = Static<typeof AcceptStatement>
