import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyServerOptions
} from 'fastify'
import audit from './plugins/audit.js'
import auth from './plugins/auth.js'
import aws from './plugins/aws.js'
import codehost from './plugins/codehost.js'
import codehostGrants from './plugins/codehost-grants.js'
import codehostOauth from './plugins/codehost-oauth.js'
import config, { type Config } from './plugins/config.js'
import cursors from './plugins/cursors.js'
import db from './plugins/db.js'
import errors, { answerError } from './plugins/errors.js'
import extraction from './plugins/extraction.js'
import faults from './plugins/faults.js'
import idempotency from './plugins/idempotency.js'
import jobs from './plugins/jobs.js'
import llm from './plugins/llm.js'
import openapi from './plugins/openapi.js'
import outbound from './plugins/outbound.js'
import rateLimits from './plugins/rate-limits.js'
import requestLog from './plugins/request-log.js'
import resealing from './plugins/resealing.js'
import sandbox from './plugins/sandbox.js'
import secrets from './plugins/secrets.js'
import sse from './plugins/sse.js'
import streams from './plugins/streams.js'
import tools from './plugins/tools.js'
import telemetry from './plugins/telemetry.js'
import validation from './plugins/validation.js'
import account from './routes/account/index.js'
import setup from './routes/account/setup.js'
import cloud from './routes/cloud/index.js'
import codehostArea from './routes/codehost/index.js'
import codehostSignIn from './routes/codehost/oauth.js'
import content from './routes/content/index.js'
import codehostWebhook from './routes/codehost/webhook.js'
import deployments from './routes/deployments/index.js'
import infrastructure from './routes/infrastructure/index.js'
import agent from './routes/agent/index.js'
import pse from './routes/pse/index.js'
import mcp from './routes/mcp/index.js'
import service from './routes/service/index.js'
import web from './routes/web/index.js'

/** Slow headers, slow bodies and idle sockets are cut; a stream's heartbeat keeps it open. */
const server: FastifyHttpOptions<Server> = {
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  routerOptions: { maxParamLength: 700 },
  bodyLimit: 1_048_576,
  return503OnClosing: true,
  // The first start creates the embedded database.
  pluginTimeout: 60_000
}

const registerAreas = async (app: FastifyInstance): Promise<void> => {
  await app.register(service)
  await app.register(agent, { prefix: '/api/v1/agent' })
  await app.register(mcp)
  await app.register(cloud)
  await app.register(infrastructure)
  await app.register(deployments, { prefix: '/deployments' })
  await app.register(content, { prefix: '/content' })
  await app.register(codehostArea, { prefix: '/codehost' })
  await app.register(codehostSignIn, { prefix: '/codehost-oauth' })
  await app.register(pse, { prefix: '/pse' })
  await app.register(codehostWebhook, { prefix: '/webhooks' })
  await app.register(account, { prefix: '/account' })
  await app.register(setup)
  await app.register(web)
}

/** The composition root: what is shared, then the areas. */
export const build = async (settings: Config, logger: FastifyServerOptions['logger'] = false) => {
  const logController = new LogController({ disableRequestLogging: true })
  const trustProxy = settings.proxies.length > 0 && settings.proxies
  const app = Fastify({ ...server, logger, logController, trustProxy, frameworkErrors: answerError })
    .withTypeProvider<TypeBoxTypeProvider>()
  await app.register(config, { config: settings })
  await app.register(telemetry)
  await app.register(requestLog)
  await app.register(faults)
  await app.register(errors)
  await app.register(validation)
  await app.register(openapi)
  await app.register(secrets)
  await app.register(cursors)
  await app.register(db)
  await app.register(resealing)
  await app.register(auth)
  await app.register(tools)
  await app.register(rateLimits)
  await app.register(idempotency)
  await app.register(audit)
  await app.register(sandbox)
  await app.register(aws)
  await app.register(codehost)
  await app.register(codehostOauth)
  await app.register(codehostGrants)
  await app.register(llm)
  await app.register(outbound)
  await app.register(extraction)
  await app.register(streams)
  await app.register(sse)
  await app.register(jobs)
  await registerAreas(app)
  return app
}
