import { AwsError } from '../core/errors.js'
import type { WireRequest } from '../../wire.js'
import { jsonObject } from '../server/json.js'

interface Route {
  method: string
  path: RegExp
  operation: string
  /** True = the body is the function's payload. */
  rawBody?: boolean
}

const FUNCTIONS = '^/(?:2015-03-31/)?functions'
const ROUTES: Route[] = [
  { method: 'GET', path: new RegExp(`${FUNCTIONS}/?$`), operation: 'ListFunctions' },
  { method: 'GET', path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)$`), operation: 'GetFunction' },
  {
    method: 'GET',
    path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/configuration$`),
    operation: 'GetFunctionConfiguration'
  },
  {
    method: 'POST',
    path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/invocations$`),
    operation: 'Invoke',
    rawBody: true
  },
  { method: 'PUT', path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/code$`), operation: 'UpdateFunctionCode' },
  { method: 'GET', path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/aliases$`), operation: 'ListAliases' },
  { method: 'POST', path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/aliases$`), operation: 'CreateAlias' },
  {
    method: 'GET',
    path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/aliases/(?<Name>[^/]+)$`),
    operation: 'GetAlias'
  },
  {
    method: 'PUT',
    path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/aliases/(?<Name>[^/]+)$`),
    operation: 'UpdateAlias'
  },
  {
    method: 'GET',
    path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/versions$`),
    operation: 'ListVersionsByFunction'
  },
  { method: 'POST', path: new RegExp(`${FUNCTIONS}/(?<FunctionName>[^/]+)/versions$`), operation: 'PublishVersion' },
  { method: 'GET', path: /^\/2017-03-31\/tags\/(?<Resource>.+)$/, operation: 'ListTags' }
]

/** The operation of a path, and its parameters from path, query, headers and body. */
export function routeLambda (request: WireRequest): { operation: string; input: Record<string, unknown> } {
  const { pathname, searchParams } = new URL(request.url, 'http://lambda')
  for (const { method, path, operation, rawBody } of ROUTES) {
    const match = request.method === method ? path.exec(pathname) : null
    if (!match) continue
    const named = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    const body = rawBody ? invocation(request) : jsonObject(request.body)
    return { operation, input: { ...body, ...Object.fromEntries(searchParams), ...Object.fromEntries(named) } }
  }
  throw new AwsError('UnknownOperationException', `The sandbox does not know ${request.method} ${pathname}.`, 404)
}

function invocation ({ headers, body }: WireRequest): Record<string, unknown> {
  return {
    InvocationType: headers['x-amz-invocation-type'] ?? 'RequestResponse',
    LogType: headers['x-amz-log-type'] ?? 'None',
    Payload: body.toString()
  }
}
