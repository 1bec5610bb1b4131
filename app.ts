import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyServerOptions
} from 'fastify'
import accessTable from './plugins/access-table.js'
import audit from './plugins/audit.js'
import auth from './plugins/auth.js'
import { answerClientError, ignoreExpectations } from './lib/http/client-errors.js'
import aws from './plugins/aws.js'
import codehost from './plugins/codehost.js'
import codehostGrants from './plugins/codehost-grants.js'
import codehostOauth from './plugins/codehost-oauth.js'
import config, { type Config } from './plugins/config.js'
import connections from './plugins/connections.js'
import cursors from './plugins/cursors.js'
import db from './plugins/db.js'
import errors from './plugins/errors.js'
import { answerError } from './lib/http/problem.js'
import extraction from './plugins/extraction.js'
import failpoints from './plugins/failpoints.js'
import workspaces from './plugins/workspaces.js'
import idempotency from './plugins/idempotency.js'
import jobs from './plugins/jobs.js'
import llm from './plugins/llm.js'
import objects from './plugins/objects.js'
import apiDocument from './plugins/api-document.js'
import openapi from './plugins/openapi.js'
import outbound from './plugins/outbound.js'
import policies from './plugins/policies.js'
import pointOfNoReturn from './plugins/point-of-no-return.js'
import rateLimits from './plugins/rate-limits.js'
import requestLog from './plugins/request-log.js'
import keyRotation from './plugins/key-rotation.js'
import sandbox from './plugins/sandbox.js'
import secrets from './plugins/secrets.js'
import sse from './plugins/sse.js'
import stepUp from './plugins/step-up.js'
import streams from './plugins/streams.js'
import tools from './plugins/tools.js'
import telemetry from './plugins/telemetry.js'
import validation from './plugins/validation.js'
import writeGate from './plugins/write-gate.js'

/** Slow headers, slow bodies and idle sockets are cut; a stream's heartbeat keeps it open. */
const server: FastifyHttpOptions<Server> = {
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  // A request without Host is refused by plugins/errors.ts, as a problem.
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
  routerOptions: { maxParamLength: 700 },
  bodyLimit: 1_048_576,
  // plugins/errors.ts answers it, as a problem.
  return503OnClosing: false,
  // The first start creates the embedded database.
  pluginTimeout: 60_000
}

/** One line for each area: without the line and its folders, there is no trace of it. */
const registerAreas = async (app: FastifyInstance): Promise<void> => {
  await app.register(import('./routes/service/index.js'))
  await app.register(import('./routes/agent/index.js'), { prefix: '/api/v1/agent' })
  await app.register(import('./routes/toolservers/index.js'))
  await app.register(import('./routes/mcp/index.js'))
  await app.register(import('./routes/cloud/index.js'))
  await app.register(import('./routes/infrastructure/index.js'))
  await app.register(import('./routes/deployments/index.js'), { prefix: '/deployments' })
  await app.register(import('./routes/content/index.js'), { prefix: '/content' })
  await app.register(import('./routes/codehost/index.js'))
  await app.register(import('./routes/pse/index.js'), { prefix: '/pse' })
  await app.register(import('./routes/account/index.js'))
  await app.register(import('./routes/record/index.js'))
  await app.register(import('./routes/channels/index.js'))
  await app.register(import('./routes/web/index.js'))
}

/** What asks others: clouds, the code host, the model, addresses that people name. */
const registerProviders = async (app: FastifyInstance): Promise<void> => {
  await app.register(sandbox)
  await app.register(aws)
  await app.register(codehost)
  await app.register(codehostOauth)
  await app.register(codehostGrants)
  await app.register(outbound)
  await app.register(llm)
  await app.register(objects)
  await app.register(extraction)
}

/** The composition root: what is shared, then the areas. */
export const build = async (settings: Config, logger: FastifyServerOptions['logger'] = false) => {
  const logController = new LogController({ disableRequestLogging: true })
  const trustProxy = settings.proxies.length > 0 && settings.proxies
  const app = Fastify({
    ...server, logger, logController, trustProxy, frameworkErrors: answerError, clientErrorHandler: answerClientError
  }).withTypeProvider<TypeBoxTypeProvider>()
  ignoreExpectations(app)
  await app.register(config, { config: settings })
  await app.register(telemetry)
  await app.register(requestLog)
  await app.register(connections)
  await app.register(failpoints)
  await app.register(errors)
  await app.register(validation)
  await app.register(accessTable)
  await app.register(openapi)
  await app.register(secrets)
  await app.register(cursors)
  await app.register(db)
  await app.register(keyRotation)
  await app.register(workspaces)
  await app.register(auth)
  await app.register(stepUp)
  await app.register(tools)
  await app.register(policies)
  await app.register(rateLimits)
  await app.register(apiDocument)
  await app.register(idempotency)
  await app.register(writeGate)
  await app.register(pointOfNoReturn)
  await app.register(audit)
  await registerProviders(app)
  await app.register(streams)
  await app.register(sse)
  await app.register(jobs)
  await registerAreas(app)
  return app
}
