import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listScheduled } from '../../db/content/scheduled.js'
import type { Db } from '../../db/index.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import type { Principal } from '../../lib/security/principal.js'
import { CalendarQuery, ScheduledContents } from '../../schemas/content/calendars.js'
import { NotFound } from '../../schemas/errors.js'
import { requireProject } from './lib/errors.js'
import { toCalendar } from './lib/feeds/calendar.js'

/** @returns what is scheduled in one project, or in all that the person sees. @throws not_found */
const scheduledFor = async (db: Db, principal: Principal, only: string | undefined) => {
  const visible = visibleProjects(principal)
  if (only !== undefined) {
    await requireProject(db, principal.workspace_id, only)
    if (visible !== undefined && !visible.includes(only)) throw NotFound()
  }
  return listScheduled(db, principal.workspace_id, only === undefined ? visible : [only])
}

const calendar: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/calendar', {
    config: { errors: [NotFound] },
    schema: {
      operationId: 'getContentCalendar',
      summary: 'The calendar of what is scheduled',
      description: 'As iCalendar (RFC 5545): an event for each publication that waits for its time, the next first, ' +
        'a thousand at most.',
      tags: ['content'],
      querystring: CalendarQuery,
      response: {
        200: { description: 'The calendar', content: { 'text/calendar': { schema: { type: 'string' } } } }
      }
    }
  }, async ({ principal, query }, reply) => {
    const rows = await scheduledFor(app.db, principal, query.project_id)
    return reply.type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="content.ics"').send(toCalendar(rows))
  })

  app.get('/scheduled', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which articles and posts go out when.',
        gives: 'the publications that wait for their time, the next first.',
        keywords: 'calendar schedule scheduled planned upcoming when goes out next week publications articles posts ' +
          'editorial plan'
      },
      errors: [NotFound]
    },
    schema: {
      operationId: 'listScheduledContent',
      summary: 'List what is scheduled',
      description: 'The same as the calendar, for programs: the publications that wait for their time, the next ' +
        'first, a thousand at most.',
      tags: ['content'],
      querystring: CalendarQuery,
      response: { 200: ScheduledContents }
    }
  }, async ({ principal, query }) => ({ items: await scheduledFor(app.db, principal, query.project_id) }))
}

export default calendar
