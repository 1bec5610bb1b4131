import { Type, type Static } from '@sinclair/typebox'
import { maxInteger, Nullable, VersionNumber, Words } from '../common.js'
import { ReportFinding } from './reports.js'

export const CompareQuery = Type.Object({
  from: VersionNumber,
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' }))
})

const Line = Type.Object({
  start: Type.Integer({ description: 'Offset in the text, in UTF-16 units' }),
  parts: Type.Array(Type.Object({ changed: Type.Boolean(), text: Type.String() }))
})

const Side = Type.Object({
  version: VersionNumber,
  title: Type.String(),
  score: Type.Integer(),
  verdict: Type.String(),
  brand_version: Type.Integer({ description: 'By which it was checked' })
})

export const findingFates = ['new', 'gone', 'stays'] as const

export const ContentComparison = Type.Object({
  from: Side,
  to: Side,
  same_rules: Type.Boolean({
    description: 'Both were checked by the same rules; else a finding may be new because a rule is'
  }),
  fields: Type.Array(Type.Object({
    field: Type.String(), before: Type.Unknown(), after: Type.Unknown()
  }), { description: 'What differs beside the body' }),
  rows: Type.Array(Type.Object({ left: Nullable(Line), right: Nullable(Line) }), {
    description: 'The body line by line; null = the line has no counterpart'
  }),
  findings: Type.Array(Type.Object({
    fate: Words(findingFates),
    before: Nullable(ReportFinding),
    after: Nullable(ReportFinding)
  }), { description: 'What is new first, then what is gone, then what stays' })
}, { $id: 'ContentComparison' })
export type ContentComparison = Static<typeof ContentComparison>
