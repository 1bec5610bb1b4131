import { Type, type Static } from '@sinclair/typebox'
import { PersonName } from '../account/person-name.js'
import { Id, Nullable, page, PageQuery, Timestamp, VersionNumber } from '../common.js'
import { ReportFinding } from 'steward-prose-engine/schemas'

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
