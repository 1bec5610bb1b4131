import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidCursor, RateLimited } from '../../schemas/errors.js'
import { FunctionParams } from '../../schemas/infrastructure/functions.js'
import {
  FunctionLogQuery, LogPage, LogStreamEvent, ServiceLogQuery, type LogRequest
} from '../../schemas/infrastructure/logs.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import {
  AmbiguousIdentifier, awsErrors, ContainerUnknown, FunctionNotFound, QualifierInName, RangeInvalid, ServiceNotFound
} from './lib/errors.js'
import { findFunctionLogs, findServiceLogs, followLogs } from './lib/logs/find-logs.js'
import { describePage, readNewer, readOlder, type Logs, type NewerKey, type OlderKey } from './lib/logs/page-logs.js'
import { resolveFunction } from './lib/functions/resolve-function.js'
import { resolveService } from './lib/services/resolve.js'
import { infrastructureFields } from './lib/field-words.js'

type Key = OlderKey | NewerKey

const answers = {
  200: {
    description: 'A page, or with Accept: text/event-stream the lines as they come',
    content: { 'application/json': { schema: LogPage }, 'text/event-stream': { schema: LogStreamEvent } }
  }
}

/** A cursor is valid for the same logs, filter and caller; the limit may change. */
const bindingOf = (logs: Logs, { filter }: LogRequest) => [logs.account.id, logs.origins, filter ?? null]

/** Answers a page, or follows when the caller accepts an event stream. */
const send = async (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, logs: Logs,
  input: LogRequest) => {
  const { principal, headers } = request
  const binding = bindingOf(logs, input)
  const encode = (key: Key) => app.cursors.encode(principal, 'log_lines', binding, [JSON.stringify(key)])
  const resume = headers['last-event-id'] ?? input.cursor
  // The signature says that it was encoded here.
  const key = resume === undefined
    ? undefined
    : JSON.parse(String(app.cursors.decode(principal, 'log_lines', binding, String(resume))[0])) as Key
  const newer = key?.kind === 'newer' ? key : undefined
  if (/\btext\/event-stream\b/.test(headers.accept ?? '')) {
    return app.stream(request, reply, (sink) => followLogs(app, logs, input, newer, encode, sink))
  }
  const older = key?.kind === 'older' ? key : undefined
  const page = newer ? await readNewer(app, logs, input, newer) : await readOlder(app, logs, input, older)
  return describePage(page, encode)
}

const errors = [...awsErrors, InvalidCursor, RangeInvalid, AmbiguousIdentifier, RateLimited]

const logs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/logs', {
    sse: 'manual',
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to read what the containers of a service printed, for instance after an error.',
        gives: 'the newest log lines of all its tasks, oldest first, of the last 15 minutes unless you say since ' +
          'when.',
        keywords: 'log logs lines output printed errors exceptions stack trace stdout cloudwatch container ' +
          'service',
        fields: infrastructureFields
      },
      errors: [...errors, ServiceNotFound, ContainerUnknown]
    },
    schema: {
      operationId: 'getServiceLogs',
      summary: 'Read the logs of a container service',
      description: 'The newest lines over all tasks of an ECS service, oldest first; the last 15 minutes unless ' +
        '`since` says otherwise. `filter` is a CloudWatch pattern. A page may be empty and still have a ' +
        '`next_cursor`. With Accept: text/event-stream the lines are sent as they come.',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: ServiceLogQuery,
      response: answers
    }
  }, async (request, reply) => {
    const ref = await resolveService(app, request.principal, request.params.service)
    return send(app, request, reply, await findServiceLogs(app, ref, request.query), request.query)
  })

  app.get('/infrastructure/serverless/functions/:name/logs', {
    sse: 'manual',
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to read what a Lambda function printed, for instance after it failed.',
        gives: 'its newest log lines, oldest first, of the last 15 minutes unless you say since when.',
        keywords: 'log logs lines output printed errors lambda serverless function cloudwatch',
        fields: infrastructureFields
      },
      errors: [...errors, FunctionNotFound, QualifierInName]
    },
    schema: {
      operationId: 'getFunctionLogs',
      summary: 'Read the logs of a serverless function',
      description: 'The newest lines of a Lambda function, oldest first; the last 15 minutes unless `since` says ' +
        'otherwise. A function that never ran has none. With Accept: text/event-stream the lines are sent as they ' +
        'come.',
      tags: ['infrastructure'],
      params: FunctionParams,
      querystring: FunctionLogQuery,
      response: answers
    }
  }, async (request, reply) => {
    const ref = await resolveFunction(app, request.principal, request.params.name)
    return send(app, request, reply, await findFunctionLogs(app, ref), request.query)
  })
}

export default logs
