import { AwsError } from '../core/errors.js'
import { routeLambda } from '../lambda/routes.js'
import { CATALOG, type ServiceEntry } from './catalog.js'
import type { WireRequest } from '../../wire.js'
import { jsonObject } from './json.js'
import { parseSignature, type Signature } from '../../signature-v4.js'

/** The service and the operation of a request. */
export interface ServiceRequest {
  service: ServiceEntry
  signature: Signature
  operation: string
  input: Record<string, unknown>
}

/** The service of a request, even if its signature does not name it. */
export function serviceOf (request: WireRequest): ServiceEntry {
  const scope = parseSignature(request.headers.authorization)?.service
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[0]
  const byTarget = Object.values(CATALOG).find((one) => one.target !== undefined && one.target === target)
  const byPath = /\/functions|\/tags\/arn/.test(request.url) ? CATALOG['lambda'] : CATALOG['sts']
  const entry = (scope && CATALOG[scope]) ?? byTarget ?? byPath
  if (!entry) throw new AwsError('UnknownServiceException', 'The sandbox does not know this service.', 404)
  return entry
}

/** The signature's parts, or the refusal of a request that has none. */
export function requireSignature (request: WireRequest): Signature {
  const { authorization } = request.headers
  if (!authorization) throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403)
  const signature = parseSignature(authorization)
  if (!signature) {
    throw new AwsError(
      'IncompleteSignatureException',
      `Authorization header is not complete. Authorization=${authorization}`
    )
  }
  if (!CATALOG[signature.service]) {
    const message = `Credential should be scoped to a known service, not '${signature.service}'.`
    throw new AwsError('InvalidSignatureException', message)
  }
  return signature
}

/** The operation and its parameters, by the service's protocol. */
export function parseRequest (
  service: ServiceEntry,
  request: WireRequest
): Omit<ServiceRequest, 'service' | 'signature'> {
  switch (service.protocol) {
    case 'json':
      return parseJson(service, request)
    case 'query':
      return parseQuery(request)
    case 'rest':
      return routeLambda(request)
  }
}

function parseJson (service: ServiceEntry, request: WireRequest) {
  const [target, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.')
  if (target !== service.target) throw new AwsError('UnknownOperationException', '')
  return { operation, input: jsonObject(request.body) }
}

function parseQuery (request: WireRequest) {
  const {
    Action: operation = '',
    Version,
    ...input
  } = Object.fromEntries(new URLSearchParams(request.body.toString()))
  if (Version !== '2011-06-15') {
    throw new AwsError(
      'InvalidAction',
      `Could not find operation ${operation} for version ${Version ?? 'NO_VERSION_SPECIFIED'}`
    )
  }
  return { operation, input }
}
