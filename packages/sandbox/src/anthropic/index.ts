import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { controlPath, newControlToken } from '../control-path.js'
import { isLocal } from '../wire.js'
import { ApiError, asApiError, errorBody, newId } from './api-error.js'
import { bedrockRoutes } from './clouds/bedrock.js'
import { vertexRoutes } from './clouds/vertex.js'
import { controlRoutes } from './control.js'
import { makeAnswers, messageRoutes } from './messages.js'
import { modelRoutes } from './models.js'
import { SandboxState, type SandboxOptions } from './state.js'
import type { FaultBody, ScriptBody, SettingsBody } from './turn.js'

export type { SandboxOptions } from './state.js'
export { starts } from './assistant/guided/texts.js'
export type { FaultBody, ScriptBody, SettingsBody, Turn } from './turn.js'

const bodyLimit = 32 * 1024 * 1024
const loopback = ['127.0.0.1', '::1', 'localhost']

/** The sandbox of the Anthropic Messages API, with a scripted assistant. */
export const buildAnthropicSandbox = (options: SandboxOptions = {}): FastifyInstance =>
  assemble(new SandboxState(options), options)

function assemble (state: SandboxState, { logger = false, controlToken = newControlToken() }: SandboxOptions):
FastifyInstance {
  const app = Fastify({
    logger,
    bodyLimit,
    forceCloseConnections: true,
    // The name of a model may be an ARN.
    routerOptions: { maxParamLength: 500 },
    genReqId: () => newId('req'),
    // The API neither converts nor drops members, and adds no defaults.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } }
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!isLocal(request)) throw new ApiError(403, 'The sandbox answers on loopback only')
    reply.headers({ 'request-id': request.id, 'anthropic-organization-id': '00000000-0000-4000-8000-000000000000' })
  })
  answerErrors(app)
  const answers = makeAnswers(state)
  app.register(async (api) => apiRoutes(api, state, answers))
  app.register(async (clouds) => {
    bedrockRoutes(clouds, state, answers.answer)
    vertexRoutes(clouds, state, answers.answer)
  })
  app.register(async (control) => controlRoutes(control, state), { prefix: controlPath(controlToken) })
  return app
}

/** Starts the sandbox on a free loopback port; it refuses to listen anywhere else. */
export async function startAnthropicSandbox (options: SandboxOptions & { host?: string } = {}) {
  const { host = '127.0.0.1', controlToken = newControlToken() } = options
  if (!loopback.includes(host)) throw new Error(`The sandbox listens on loopback only, not on ${host}`)
  const state = new SandboxState(options)
  const app = assemble(state, { ...options, controlToken })
  await app.listen({ host, port: 0 })
  // A listening TCP server has an AddressInfo; the other types are for pipes and for servers that do not listen.
  const { port } = app.server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const controlUrl = url + controlPath(controlToken)
  return { url, controlUrl, app, control: controlOf(state), close: async () => { await app.close() } }
}

const isListing = ({ path }: { path: string }): boolean => path.startsWith('/v1/models')

// The control path again, for tests in the same process.
const controlOf = (state: SandboxState) => ({
  script: (body: ScriptBody) => state.book.addTurns(body),
  fault: (body: FaultBody) => state.book.addFault(body),
  pending: () => state.book.pending,
  /** Those of which a model reads something. */
  requests: (match?: string) => state.journal.list(match).filter((entry) => !isListing(entry)),
  /** Those for the list of models, which a client reads when it likes. */
  listings: () => state.journal.list().filter(isListing),
  set: (body: SettingsBody) => state.set(body),
  /** Who may ask through Bedrock and Vertex. */
  keys: state.keys,
  reset: () => state.reset()
})

function apiRoutes (api: FastifyInstance, state: SandboxState, answers: ReturnType<typeof makeAnswers>) {
  api.addHook('onRequest', async ({ headers }) => {
    const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer\s+/i, '')
    if (!key) throw new ApiError(401, 'x-api-key header is required')
    if (String(key).startsWith('invalid')) throw new ApiError(401, 'invalid x-api-key')
    if (!headers['anthropic-version']) throw new ApiError(400, 'anthropic-version: header is required')
  })
  api.addHook('preValidation', async (request) => {
    const { id, method, url, body, headers } = request
    state.entries.set(request, state.journal.add({ request_id: id, method, path: url, body }, headers))
  })
  api.addHook('onResponse', async (request, reply) => {
    const entry = state.entries.get(request)
    if (entry) entry.status = reply.statusCode
  })
  messageRoutes(api, state, answers)
  modelRoutes(api)
}

function answerErrors (app: FastifyInstance) {
  app.setNotFoundHandler(async (request, reply) =>
    reply.code(404).send(errorBody('not_found_error', 'Not Found', request.id)))

  app.setErrorHandler<FastifyError | ApiError>(async (error, request, reply) => {
    const { status, type, message, headers } = asApiError(error)
    if (status === 500) request.log.error(error)
    return reply.code(status).headers(headers).send(errorBody(type, message, request.id))
  })
}
