import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CalendarFileParams } from '../../schemas/content/calendars.js'
import { NotFound } from '../../schemas/errors.js'
import { readCalendar } from './lib/calendars.js'
import { toCalendar } from './lib/feeds/calendar.js'

const openQuery = 'calendars add parameters of their own, against caches'
const file = /^(stw_cal_[0-9A-Za-z_]+)\.ics$/

/** Calendars send no credentials: the address has them. */
const calendarFiles: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/calendar/:file', {
    config: { public: 'the address has a token', openQuery, errors: [NotFound] },
    schema: {
      operationId: 'readContentCalendar',
      summary: 'Read a calendar at its address',
      description: 'What is scheduled, as iCalendar (RFC 5545), as far as the person sees it who made the address. ' +
        '404 where the address was deleted, or its person is disabled.',
      tags: ['content'],
      security: [],
      params: CalendarFileParams,
      response: {
        200: { description: 'The calendar', content: { 'text/calendar': { schema: { type: 'string' } } } }
      }
    }
  }, async ({ params }, reply) => {
    const [, token = ''] = file.exec(params.file) ?? []
    const { name, rows } = await readCalendar(app, token)
    return reply.type('text/calendar; charset=utf-8')
      .headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
      .send(toCalendar(rows, name))
  })
}

export default calendarFiles
