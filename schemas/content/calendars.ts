import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, VersionNumber } from '../common.js'

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

export const AddCalendar = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Such as the program that reads it' }),
  project_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Without it: of all projects that you see' }))
}, { $id: 'AddContentCalendar', additionalProperties: false })
export type AddCalendar = Static<typeof AddCalendar>

const calendar = {
  id: Id,
  project_id: Nullable(Id),
  name: Type.String(),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp
}
export const ContentCalendar = Type.Object(calendar, { $id: 'ContentCalendar' })

export const AddedCalendar = Type.Object({
  ...calendar,
  url: Type.String({ description: 'Shown this once. Whoever has it reads the calendar, and nothing else' })
}, { $id: 'AddedContentCalendar' })

export const ContentCalendarPage = page(ContentCalendar, 'ContentCalendarPage')
export const ListCalendars = Type.Object(PageQuery)
export const CalendarParams = Type.Object({ calendar_id: Id })
export const CalendarFileParams = Type.Object({
  file: Type.String({ maxLength: 120, description: 'The token of the address, and .ics' })
})
