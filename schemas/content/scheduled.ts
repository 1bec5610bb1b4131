import { Type } from '@sinclair/typebox'
import { Id, Timestamp, VersionNumber } from '../common.js'

export const CalendarQuery = Type.Object({ project_id: Type.Optional(Id) })

export const ScheduledContents = Type.Object({
  items: Type.Array(Type.Object({
    id: Type.Unsafe<string>({ ...Id, description: 'Of the publication' }),
    content_id: Id,
    project_id: Id,
    title: Type.String(),
    locale: Type.String(),
    version: VersionNumber,
    action: Type.String({ description: 'publish, update or unpublish' }),
    target_name: Type.String(),
    kind: Type.String({ description: 'Of the target' }),
    publish_at: Timestamp
  }))
}, { $id: 'ScheduledContents' })
