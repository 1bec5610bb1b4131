import { Type, type Static } from '@sinclair/typebox'
import { ComparedFindings, ComparedRows, ReportFinding } from 'steward-prose-engine/schemas'
import { PersonName } from '../account/users.js'
import { maxInteger, VersionNumber, Id, Nullable, page, PageQuery, Timestamp } from '../common.js'
import { Revision } from '../revisions.js'
import { ContentDiff } from './contents.js'

export const ContentRepair = Type.Object({
  id: Id,
  content_id: Id,
  version: Type.Integer({ minimum: 1, description: 'The version that it is part of' }),
  field: Type.String(),
  start: Type.Integer({ description: 'Offset of what was written, in UTF-16 units' }),
  end: Type.Integer(),
  before: Type.String({ description: 'What stood there' }),
  after: Type.String({ description: 'What was written instead' }),
  finding: ReportFinding,
  created_by: PersonName,
  created_at: Timestamp,
  undone_version: Nullable(VersionNumber),
  undone_by: Nullable(PersonName),
  undone_at: Nullable(Timestamp)
}, { $id: 'ContentRepair' })
export type ContentRepair = Static<typeof ContentRepair>
export const ContentRepairPage = page(ContentRepair, 'ContentRepairPage')
export const ListRepairs = Type.Object(PageQuery)
export const RepairParams = Type.Object({ content_id: Id, repair_id: Id })

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
