import type { TSchema } from '@sinclair/typebox'
import type { FastifySchema, RouteOptions } from 'fastify'
import {
  ApprovalRequired, AssistantToken, CsrfRejected, DatabaseUnavailable, ForbiddenByPolicy, IdempotencyInProgress,
  IdempotencyMismatch, InsufficientRole, InsufficientScope, Internal, InvalidRequest, InvalidText, MalformedJson,
  MalformedRequest, NotFound, NotUtf8, Overloaded, PayloadTooLarge, PoliciesUnavailable, Problem, RateLimited,
  ShuttingDown, TokenExpired, TokenRevoked, Unauthenticated, UnknownField, UnknownParameter, UnsupportedMediaType,
  type ErrorDefinition
} from '../../schemas/errors.js'
import { OperationSignatureRequired, SignatureInvalid, signatureHeader } from '../../schemas/account/passkeys.js'
import { isPage } from '../../schemas/common.js'
import { optionalDefaults, type Components } from './components.js'
import { fieldsOf } from '../../schemas/unknown.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies by media type, for the document: where a parser or a hook makes the schema's body of them. */
    bodies?: Record<string, TSchema>
  }
}

type Json = Record<string, unknown>
type Route = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

/** @returns whether the operation answers a page of a list of ours; see plugins/unchanged.ts */
export const answersPage = ({ schema, config }: Pick<RouteOptions, 'schema' | 'config'>): boolean =>
  isPage(fieldsOf((config?.contract ?? schema)?.response)['200'])

/** @returns whether a record counts its changes in `revision`; a task definition has a revision, too, which is text */
export const countsChanges = (properties: unknown): boolean => {
  const revision = fieldsOf(fieldsOf(properties).revision)
  return [revision, ...(Array.isArray(revision.anyOf) ? revision.anyOf : [])].some((one) => fieldsOf(one).type === 'integer')
}

/** @returns whether the operation reads one record that counts its changes; its ETag serves If-Match and If-None-Match */
export const answersRecord = ({ method, schema, config }: Pick<RouteOptions, 'method' | 'schema' | 'config'>): boolean =>
  (method === 'GET' || method === 'HEAD') && countsChanges(fieldsOf(fieldsOf((config?.contract ?? schema)?.response)['200']).properties)

const writes = ({ method }: Pick<Route, 'method'>) => method !== 'GET' && method !== 'HEAD'

/** The shared hook keeps the answers of these; see plugins/idempotency.ts. */
const keepsAnswers = (route: Route) => writes(route) && route.config?.access && route.config.idempotency !== false

/** Policies are asked before the handler of a write, but where it says why not; see plugins/write-gate.ts. */
export const isGated = (route: Pick<Route, 'method' | 'config'>): boolean => {
  const { tool, access, ungated } = route.config ?? {}
  if (tool !== undefined) return tool !== 'read'
  return access !== undefined && !ungated && writes(route)
}

const protectedErrors = (route: Route): ErrorDefinition[] => [
  Unauthenticated, TokenExpired, TokenRevoked, InsufficientScope, InsufficientRole,
  // A write that is no longer awaited ends before its point of no return as `overloaded`.
  ...(writes(route) ? [CsrfRejected, Overloaded] : []),
  ...(writes(route) && route.config?.assistant !== true ? [AssistantToken] : []),
  ...(route.config?.stepUp ? [OperationSignatureRequired, SignatureInvalid] : []),
  ...(isGated(route) ? [ForbiddenByPolicy, ApprovalRequired, PoliciesUnavailable] : []),
  ...(keepsAnswers(route) ? [IdempotencyInProgress, IdempotencyMismatch] : [])
]

/** The errors that an operation can answer by what it is, before its own. */
const commonErrors = (route: Route): ErrorDefinition[] => [
  InvalidRequest, InvalidText, MalformedRequest, Internal, DatabaseUnavailable, RateLimited, ShuttingDown,
  ...(route.config?.openQuery === undefined ? [UnknownParameter] : []),
  ...(route.config?.access ? protectedErrors(route) : []),
  ...(route.url.includes(':') ? [NotFound] : []),
  ...(writes(route) ? [UnknownField, MalformedJson, NotUtf8, PayloadTooLarge, UnsupportedMediaType] : [])
]

/** @returns every error that the operation declares */
export const declaredErrors = (route: Route): ErrorDefinition[] =>
  [...new Set([...commonErrors(route), ...(route.config?.errors ?? [])])]

const problemResponses = (errors: ErrorDefinition[]): Json => {
  const statuses = [...new Set(errors.map((error) => error.status))].sort()
  return Object.fromEntries(statuses.map((status) => {
    const codes = errors.filter((error) => error.status === status).map((error) => `\`${error.code}\``)
    return [status, {
      description: [...new Set(codes)].sort().join(', '),
      content: { 'application/problem+json': { schema: Problem } }
    }]
  }))
}

const keyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 202,
  pattern: '^("[!-~]{1,200}"|[!-~]{1,200})$',
  examples: ['0197a5f2-6c1e-7b3a-9d40-5e8f1a2b3c4d'],
  description: 'The same key with the same body is answered again for 24 hours, and done once: 1 to 200 printable ' +
    'ASCII characters without spaces, such as a UUID, bare or in quotes'
}

const heldHeader = {
  type: 'string',
  maxLength: 1000,
  description: 'The ETag that the caller has: 304 without a body while the answer is the same'
}

const signedHeader = {
  type: 'string',
  maxLength: 12_000,
  description: 'The signature of a passkey for this request (signOperation): credential_id, authenticator_data, ' +
    'client_data_json and signature, with points between'
}

const hasTag = (route: Route): boolean => answersPage(route) || answersRecord(route)

const unchanged = { 304: { type: 'null', description: 'It is what the caller has, by If-None-Match' } }

const capitalize = (name: string) => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())

/** Names of headers as people write them; those that plugins take are listed too. */
const headersOf = (route: Route, headers: Json | undefined): Json | undefined => {
  // Where there are headers, they are an object schema.
  const own = fieldsOf(headers?.properties)
  const named = Object.entries(own).map(([name, schema]) => [capitalize(name), schema] as const)
  const all = [
    ...named,
    ...(keepsAnswers(route) ? [['Idempotency-Key', keyHeader] as const] : []),
    ...(route.config?.stepUp ? [[capitalize(signatureHeader), signedHeader] as const] : []),
    ...(hasTag(route) ? [['If-None-Match', heldHeader] as const] : [])
  ]
  return all.length > 0 ? { type: 'object', ...headers, properties: Object.fromEntries(all) } : undefined
}

const bodyOf = ({ config }: Route, body: unknown): unknown => {
  if (!config?.bodies) return body
  const content = Object.entries(config.bodies).map(([type, schema]) => [type, { schema }] as const)
  return { content: Object.fromEntries(content) }
}

/** @returns the route's schema as the document shows it: with every error, its own and those of plugins */
export const documentRoute = (route: Route, schema: FastifySchema, components: Components): FastifySchema => {
  const { body, querystring, params, headers, response, ...rest } = schema
  const own = headersOf(route, headers as Json | undefined)
  const requests = Object.entries({ body: bodyOf(route, body), querystring, params, headers: own })
    .filter(([, value]) => value)
    .map(([key, value]) => [key, components.collect(optionalDefaults(value), 'request')])
  const answers = {
    ...problemResponses(declaredErrors(route)),
    ...(hasTag(route) ? unchanged : {}),
    ...(response as Json | undefined)
  }
  return { ...rest, ...Object.fromEntries(requests), response: components.collect(answers, 'response') }
}
