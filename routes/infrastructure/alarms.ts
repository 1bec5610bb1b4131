import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvalidCursor } from '../../schemas/errors.js'
import { AlarmPage, AlarmQuery } from '../../schemas/infrastructure/alarms.js'
import { AmbiguousIdentifier, awsErrors, CloudAccountNotFound, ServiceNotFound } from './lib/errors.js'
import { listAlarms } from './lib/alarms/read-alarms.js'
import { infrastructureFields } from './lib/field-words.js'
import { makePage } from './lib/list-inventory.js'

const alarms: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/alarms', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which CloudWatch alarms fire, and since when: of all accounts, of one, or of one container service.',
        gives: 'the alarms with state, since when, the metric and its condition, and which accounts did not answer.',
        keywords: 'alarm alarms alert alerts firing fires red ringing threshold cloudwatch monitoring on call',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, CloudAccountNotFound, ServiceNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'listAlarms',
      summary: 'List alarms',
      description: 'The metric and composite alarms of CloudWatch of all cloud accounts and regions, of one, or of one container ' +
        'service: those whose dimensions name it or its target group. `partial` says that some account or region did not ' +
        'answer. May be up to 10 seconds old.',
      tags: ['infrastructure'],
      querystring: AlarmQuery,
      response: { 200: AlarmPage }
    }
  }, async ({ principal, query }, reply) => {
    const listed = await listAlarms(app, principal, query)
    const page = makePage(app, principal, 'alarms', query, listed)
    reply.header('cache-control', 'private').header('age', listed.age)
    return page
  })
}

export default alarms
