import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteCalendar, listCalendars } from '../../db/content/calendars.js'
import { paginateById } from '../../lib/http/paginate.js'
import { hasRole, type Access } from '../../lib/security/principal.js'
import {
  AddCalendar, AddedCalendar, CalendarParams, ContentCalendarPage, ListCalendars
} from '../../schemas/content/calendars.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { addCalendar } from './lib/calendars.js'
import { CalendarsFull } from './lib/errors.js'

/** Everybody has addresses of their own, viewers too: they show what the person sees. */
const own: Access = { scope: 'content:write', role: 'viewer', on: 'anywhere', owner: 'person' }

const ungated = 'an address of the person\'s own, by which nothing is written'

const checksAccess = 'an address is its person\'s, and is read with the rights that they have then'

const subscriptions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/calendar/subscriptions', {
    config: { access: { scope: 'content:read', role: 'viewer', owner: 'person' }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listContentCalendars',
      summary: 'List the addresses of your calendars',
      description: 'Newest first, without the addresses themselves, which are shown once.',
      tags: ['content'],
      querystring: ListCalendars,
      response: { 200: ContentCalendarPage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'content calendars', filter: '', query },
    (slice) => listCalendars(app.db, principal.workspace_id, principal.user_id, slice)))

  app.post('/calendar/subscriptions', {
    config: { encrypted: true, access: own, ungated, checksAccess, errors: [NotFound, CalendarsFull] },
    schema: {
      operationId: 'addContentCalendar',
      summary: 'Make an address for a calendar',
      description: 'Calendars cannot send credentials: the address has them, is shown once, and shows what is ' +
        'scheduled as iCalendar, as far as you see it at that time. It can do nothing else, and ends when it is ' +
        'deleted or you are disabled.',
      tags: ['content'],
      body: AddCalendar,
      response: { 201: AddedCalendar }
    }
  }, async ({ principal, body }, reply) => {
    const made = await addCalendar(app, principal, body)
    return reply.code(201).header('cache-control', 'no-store').send(made)
  })

  app.delete('/calendar/subscriptions/:calendar_id', {
    config: { access: { ...own, owner: 'person_or_admin' }, ungated, checksAccess, errors: [NotFound] },
    schema: {
      operationId: 'deleteContentCalendar',
      summary: 'Delete the address of a calendar',
      description: 'From the next request on it shows nothing, for ever. Admins may delete anybody\'s.',
      tags: ['content'],
      params: CalendarParams,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params }, reply) => {
    const whose = hasRole(principal, 'admin') ? null : principal.user_id
    if (!await deleteCalendar(app.db, principal.workspace_id, whose, params.calendar_id)) throw NotFound()
    return reply.code(204).send(null)
  })
}

export default subscriptions
