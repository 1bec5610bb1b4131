import { Type, type Static } from '@sinclair/typebox'
import { maxInteger, VersionNumber } from '../common.js'
import { ComparedFindings, ComparedRows } from 'steward-prose-engine/schemas'

export const CompareQuery = Type.Object({
  from: VersionNumber,
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' }))
})

const Side = Type.Object({
  version: VersionNumber,
  title: Type.String(),
  score: Type.Integer(),
  verdict: Type.String(),
  brand_version: Type.Integer({ description: 'By which it was checked' })
})

export const ContentComparison = Type.Object({
  from: Side,
  to: Side,
  same_rules: Type.Boolean({
    description: 'Both were checked by the same rules; else a finding may be new because a rule is'
  }),
  fields: Type.Array(Type.Object({
    field: Type.String(), before: Type.Unknown(), after: Type.Unknown()
  }), { description: 'What differs beside the body' }),
  rows: ComparedRows,
  findings: ComparedFindings
}, { $id: 'ContentComparison' })
export type ContentComparison = Static<typeof ContentComparison>
