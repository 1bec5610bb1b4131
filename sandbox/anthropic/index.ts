import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { controlPath, newControlToken } from '../control-path.js'
import { isLocal } from '../wire.js'
import { ApiError, errorBody, errorType, newId } from './api-error.js'
import { controlRoutes } from './control.js'
import { messageRoutes } from './messages.js'
import { modelRoutes } from './models.js'
import { SandboxState, type SandboxOptions } from './state.js'
import type { FaultBody, ScriptBody, SettingsBody } from './turn.js'
import { describeComplaint } from './validate/shape.js'

export type { SandboxOptions } from './state.js'

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
    genReqId: () => newId('req'),
    // The API neither converts nor drops members, and adds no defaults.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } }
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!isLocal(request)) throw new ApiError(403, 'The sandbox answers on loopback only')
    reply.headers({ 'request-id': request.id, 'anthropic-organization-id': '00000000-0000-4000-8000-000000000000' })
  })
  answerErrors(app)
  app.register(async (api) => apiRoutes(api, state))
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

// The control path again, for tests in the same process.
const controlOf = (state: SandboxState) => ({
  script: (body: ScriptBody) => state.book.addTurns(body),
  fault: (body: FaultBody) => state.book.addFault(body),
  pending: () => state.book.pending,
  requests: (match?: string) => state.journal.list(match),
  set: (body: SettingsBody) => state.set(body),
  reset: () => state.reset()
})

function apiRoutes (api: FastifyInstance, state: SandboxState) {
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
  messageRoutes(api, state)
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

function asApiError (error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  const [complaint] = error.validation ?? []
  if (complaint) return new ApiError(400, describeComplaint(complaint))
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError(413, 'Request exceeds the maximum size')
  const status = error.statusCode ?? 500
  return new ApiError(status, status < 500 ? error.message : 'Internal server error', errorType(status))
}
