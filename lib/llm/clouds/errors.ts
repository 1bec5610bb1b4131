import { APIError } from '@anthropic-ai/sdk'
import { ModelError } from '../errors.js'
import { toModelError } from '../client.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'

export const noCredentials = (cloud: string) => new ModelError('model_auth',
  `This server finds no credentials for ${cloud} that are valid.`, false)

export const noRole = () => new ModelError('model_auth',
  'The role cannot be assumed. Its trust policy names the identity that Steward runs as, and the ExternalId.', false)

export const noKey = () => new ModelError('model_auth',
  'The workspace has a key of its own for the model, but Vertex takes none.', false)

/** What the clouds say of a model that this account cannot ask, beside those that do not exist. */
const unknownModel = new RegExp(['model identifier is invalid', 'access to the model', 'on-demand throughput',
  'model version has reached the end of its life', 'marked by provider as legacy'].join('|'), 'i')

/** Bedrock quotes what the model said. */
const quoted = /^The model returned the following errors: /

/** @returns the cloud's own words: AWS has them on top, Google may answer with a list */
const messageOf = ({ error }: APIError): string | undefined => {
  const body = fieldsOf(Array.isArray(error) ? error[0] : error)
  return (textIn(body.error, 'message') ?? textIn(body, 'message') ?? textIn(body, 'Message'))?.replace(quoted, '')
}

const statusOf = ({ status, headers }: APIError<number | undefined>, message: string): number => {
  const type = headers?.get('x-amzn-errortype') ?? ''
  if (unknownModel.test(message)) return 404
  // The model has failed, not the request.
  if (status === 424) return 500
  return status === 400 && type.startsWith('ServiceQuotaExceeded') ? 429 : status ?? 500
}

/** @returns the refusal as the Messages API would say it */
const translated = (error: APIError): APIError => {
  const message = messageOf(error)
  if (message === undefined || error.status === undefined) return error
  const status = statusOf(error, message)
  const type = status === 404 ? 'not_found_error' : textIn(fieldsOf(error.error).error, 'type')
  return APIError.generate(status, { error: { message, ...(type !== undefined && { type }) } }, message,
    error.headers)
}

/** @returns the error that lies beneath, where it is ours: the client wraps what fails before a request is sent */
const ownIn = (error: unknown): ModelError | undefined => {
  if (error instanceof ModelError) return error
  return error instanceof Error && error.cause !== undefined ? ownIn(error.cause) : undefined
}

/** @returns any error of a call through a cloud as ours */
export const toCloudError = (error: unknown): Error => ownIn(error) ??
  toModelError(error instanceof APIError && error.status !== undefined ? translated(error) : error)
