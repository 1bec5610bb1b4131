import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from './fields.js'
import { ReportFinding } from './reports.js'

const Line = Type.Object({
  start: Type.Integer({ description: 'Offset in the text, in UTF-16 units' }),
  parts: Type.Array(Type.Object({ changed: Type.Boolean(), text: Type.String() }))
})

export const findingFates = ['new', 'gone', 'stays'] as const

/** Two bodies line by line; null = the line has no counterpart. */
export const ComparedRows = Type.Array(Type.Object({ left: Nullable(Line), right: Nullable(Line) }), {
  description: 'The body line by line; null = the line has no counterpart'
})
export type ComparedRows = Static<typeof ComparedRows>

export const ComparedFindings = Type.Array(Type.Object({
  fate: Words(findingFates),
  before: Nullable(ReportFinding),
  after: Nullable(ReportFinding)
}), { description: 'What is new first, then what is gone, then what stays' })
export type ComparedFindings = Static<typeof ComparedFindings>
