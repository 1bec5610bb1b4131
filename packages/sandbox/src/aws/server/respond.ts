import type { AwsError } from '../core/errors.js'
import type { ServiceEntry } from './catalog.js'
import type { WireAnswer } from '../../wire.js'
import { RawAnswer } from './http.js'
import { toXml } from './xml.js'

const jsonType = ({ json }: Pick<ServiceEntry, 'json'>) => `application/x-amz-json-${json ?? '1.1'}`
const STS_XMLNS = 'https://sts.amazonaws.com/doc/2011-06-15/'

/** A result in the service's protocol. */
export function renderResult (
  service: ServiceEntry,
  operation: string,
  result: unknown,
  requestId: string
): WireAnswer {
  if (result instanceof RawAnswer) return withId(result, requestId)
  switch (service.protocol) {
    case 'json':
      return withId(
        { status: 200, headers: { 'content-type': jsonType(service) }, body: JSON.stringify(result) },
        requestId
      )
    case 'rest':
      return withId(
        { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(result) },
        requestId
      )
    case 'query':
      return withId(
        xmlAnswer(200, `${operation}Response`, {
          [`${operation}Result`]: result,
          ResponseMetadata: { RequestId: requestId }
        }),
        requestId
      )
  }
}

/** An error in the service's protocol and under the service's name for it. */
export function renderError (service: ServiceEntry, raised: AwsError, requestId: string): WireAnswer {
  const { code, status } = translate(service, raised)
  const { message, extra } = raised
  const answer = { query: queryError, rest: restError, json: jsonError }[service.protocol]
  const { headers, ...rest } = answer({ service, code, status, message, fields: extra.fields ?? {}, requestId })
  return withId({ ...rest, headers: { ...headers, ...extra.headers } }, requestId)
}

interface ErrorParts {
  service: ServiceEntry
  code: string
  status: number
  message: string
  fields: Record<string, unknown>
  requestId: string
}

function jsonError ({ service, code, status, message, fields }: ErrorParts): WireAnswer {
  const body = { __type: code, [service.name === 'ce' ? 'Message' : 'message']: message, ...fields }
  return { status, headers: { 'content-type': jsonType(service) }, body: JSON.stringify(body) }
}

function restError ({ code, status, message, fields }: ErrorParts): WireAnswer {
  const body = { Type: status >= 500 ? 'Service' : 'User', Message: message, ...fields }
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': code },
    body: JSON.stringify(body)
  }
}

function queryError ({ code, status, message, requestId }: ErrorParts): WireAnswer {
  const Type = status >= 500 ? 'Receiver' : 'Sender'
  return xmlAnswer(status, 'ErrorResponse', { Error: { Type, Code: code, Message: message }, RequestId: requestId })
}

const STS_NAMES: Record<string, string> = {
  AccessDeniedException: 'AccessDenied',
  UnrecognizedClientException: 'InvalidClientTokenId',
  ExpiredTokenException: 'ExpiredToken',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  IncompleteSignatureException: 'IncompleteSignature',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken'
}

/** The same refusal has different names and statuses in different protocols. */
function translate (service: ServiceEntry, { code, status }: AwsError): { code: string; status: number } {
  const isAboutWho = code in STS_NAMES
  if (service.protocol === 'query') return { code: STS_NAMES[code] ?? code, status: isAboutWho ? 403 : status }
  if (service.protocol === 'rest' && isAboutWho) return { code, status: 403 }
  return { code, status: isAboutWho ? 400 : status }
}

function xmlAnswer (status: number, name: string, content: Record<string, unknown>): WireAnswer {
  const body = `<${name} xmlns="${STS_XMLNS}">${toXml(content)}</${name}>`
  return { status, headers: { 'content-type': 'text/xml' }, body }
}

function withId (answer: WireAnswer, requestId: string): WireAnswer {
  return { ...answer, headers: { ...answer.headers, 'x-amzn-requestid': requestId } }
}
