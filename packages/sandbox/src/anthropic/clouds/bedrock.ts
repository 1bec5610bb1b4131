import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { isSignedWith, parseSignature } from '../../signature-v4.js'
import { ApiError, asApiError } from '../api-error.js'
import type { Answer } from '../messages.js'
import { isKnown } from '../models.js'
import type { SandboxState } from '../state.js'
import { MessagesBody } from '../validate/shape.js'
import { bedrockWire } from './bedrock-wire.js'
import { fromCloud, keepBytes, keepJournal } from './body.js'

/** Of an error of the Messages API: what Bedrock answers, and how it calls it. */
const named: Record<number, [number, string]> = {
  400: [400, 'ValidationException'],
  401: [403, 'UnrecognizedClientException'],
  403: [403, 'AccessDeniedException'],
  404: [404, 'ResourceNotFoundException'],
  408: [408, 'ModelTimeoutException'],
  413: [400, 'ValidationException'],
  424: [424, 'ModelErrorException'],
  429: [429, 'ThrottlingException'],
  503: [503, 'ServiceUnavailableException'],
  529: [503, 'ServiceUnavailableException']
}

const refusal = (status: number, message: string, type: string) => new ApiError(status, message, type)

const mismatch = 'The request signature we calculated does not match the signature you provided. Check your AWS ' +
  'Secret Access Key and signing method. Consult the service documentation for details.'

const requireSigned = ({ keys }: SandboxState, { method, url, headers }: FastifyRequest, body: Buffer) => {
  const signature = parseSignature(headers.authorization)
  if (!signature || signature.service !== 'bedrock') throw refusal(403, mismatch, 'IncompleteSignatureException')
  const key = keys.awsKey(signature.accessKeyId)
  if (!key || key.sessionToken !== headers['x-amz-security-token']) {
    throw refusal(403, 'The security token included in the request is invalid.', 'UnrecognizedClientException')
  }
  if (key.expired) throw refusal(403, 'The security token included in the request is expired', 'ExpiredTokenException')
  const isWhole = isSignedWith(key.secretAccessKey, { method, url, headers, body }, signature)
  if (!isWhole || !signature.signedHeaders.includes('host')) {
    throw refusal(403, mismatch, 'InvalidSignatureException')
  }
}

const requireCaller = (state: SandboxState, request: FastifyRequest, body: Buffer) => {
  const [, bearer] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? []
  if (bearer === undefined) return requireSigned(state, request, body)
  if (bearer !== state.keys.bedrock) throw refusal(403, 'Authentication failed', 'AccessDeniedException')
}

/** `us.anthropic.claude-…-v1:0`, or an ARN that ends so, is the model `claude-…`; another name is none. */
const plain = /^(?:arn:aws:bedrock:[^/]*\/)?(?:[a-z-]+\.)?anthropic\.(claude-[\w-]+?)(?:-v\d+)?(?::\d+)?$/

const modelOf = ({ keys }: SandboxState, id: string): string => {
  const [, model = ''] = plain.exec(id) ?? []
  if (keys.disabled.has(model)) {
    throw new ApiError(403, 'You don\'t have access to the model with the specified model ID.')
  }
  if (!isKnown(model)) throw new ApiError(400, 'The provided model identifier is invalid.')
  return model
}

/** Amazon Bedrock's InvokeModelWithResponseStream, and where a container gets credentials for it. */
export function bedrockRoutes (app: FastifyInstance, state: SandboxState, answer: Answer) {
  app.get('/aws/credentials', async () => state.keys.issueAws())

  app.register(async (api) => {
    const bytesOf = keepBytes(api)
    keepJournal(api, state)
    api.addHook('onRequest', async (request, reply) => { reply.header('x-amzn-requestid', request.id) })
    api.addHook('preValidation', async (request) => {
      requireCaller(state, request, bytesOf(request))
      // As the route has it.
      const { model } = request.params as { model: string }
      request.body = fromCloud(request.body, 'bedrock-2023-05-31', modelOf(state, model))
    })
    api.setErrorHandler<FastifyError | ApiError>(async (error, _request, reply) => {
      const { status, type, message, headers } = asApiError(error)
      const [answered, name] = named[status] ?? [500, 'InternalServerException']
      const shown = /Exception$/.test(type) ? type : name
      return reply.code(answered).headers(headers).header('x-amzn-errortype', `${shown}:http://sandbox/`)
        .send({ message })
    })
    api.post('/model/:model/invoke-with-response-stream', { schema: { body: MessagesBody } }, (request, reply) =>
      answer(request, reply, bedrockWire()))
  })
}
