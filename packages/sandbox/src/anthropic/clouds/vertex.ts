import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, asApiError, errorBody } from '../api-error.js'
import type { Answer } from '../messages.js'
import { isKnown } from '../models.js'
import type { SandboxState } from '../state.js'
import { MessagesBody } from '../validate/shape.js'
import { fromCloud, keepBytes, keepJournal } from './body.js'

/** What Google itself says, and not the model behind it. */
const own: Record<number, string> =
  { 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' }

const requireToken = ({ keys }: SandboxState, { headers }: FastifyRequest) => {
  const [, token = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
  if (!keys.isValid(token)) {
    throw new ApiError(401, 'Request had invalid authentication credentials. Expected OAuth 2 access token, login ' +
      'cookie or other valid authentication credential.')
  }
}

const modelOf = ({ keys }: SandboxState, path: string, named: string): string => {
  const [, model = '', date] = /^(claude-[\w-]+)(?:@(\d{8}|default))?:streamRawPredict$/.exec(named) ?? []
  const name = date && date !== 'default' ? `${model}-${date}` : model
  if (!isKnown(name) || keys.disabled.has(name)) {
    throw new ApiError(404, `Publisher Model \`${path}\` was not found or your project does not have access to it.`)
  }
  return name
}

/** The token server, as a workload of another provider asks it. */
function tokenRoute (app: FastifyInstance, { keys }: SandboxState) {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))))
  app.post('/google/token', async ({ body }, reply: FastifyReply) => {
    // As the parser above makes it.
    const { grant_type: grant, subject_token: subject } = body as Record<string, string>
    if (grant !== 'urn:ietf:params:oauth:grant-type:token-exchange' || subject !== keys.subject) {
      return reply.code(400).send({ error: 'invalid_grant', error_description: 'The subject token is not valid' })
    }
    const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token'
    return { access_token: keys.issueToken(), issued_token_type, token_type: 'Bearer', expires_in: 3_600 }
  })
}

/** Vertex AI's streamRawPredict for the publisher's models. */
export function vertexRoutes (app: FastifyInstance, state: SandboxState, answer: Answer) {
  app.register(async (tokens) => tokenRoute(tokens, state))

  app.register(async (api) => {
    keepBytes(api)
    keepJournal(api, state)
    api.addHook('preValidation', async (request) => {
      requireToken(state, request)
      // As the route has it.
      const { model } = request.params as { model: string }
      request.body = fromCloud(request.body, 'vertex-2023-10-16', modelOf(state, request.url, model))
    })
    api.setErrorHandler<FastifyError | ApiError>(async (error, request, reply) => {
      const { status, type, message, headers } = asApiError(error)
      const answered = own[status]
        ? { error: { code: status, message, status: own[status] } }
        : errorBody(type, message, request.id)
      return reply.code(status).headers(headers).send(answered)
    })
    api.post('/v1/projects/:project/locations/:region/publishers/anthropic/models/:model',
      { schema: { body: MessagesBody } }, (request, reply) => answer(request, reply))
  })
}
