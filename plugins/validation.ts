import type { AnySchema } from 'ajv'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { MalformedJson, MalformedRequest, UnknownParameter, UnsupportedMediaType } from '../schemas/errors.js'
import { isTooDeep, maxDepth, findBrokenEscape, readText } from '../lib/http/text.js'
import { escapePointer, requireStorable, requireStorableJson } from '../lib/http/storable.js'
import { forJson, forText, lazily, withoutIds } from '../lib/openapi/json-schemas.js'
import { fieldsOf } from '../schemas/unknown.js'

type Serialize = (data: unknown) => string

/** Hundreds of routes share a schema, such as that of a problem, which is compiled once. */
const serializers = new WeakMap<object, Serialize>()

const compile = (schema: Schema): Serialize => {
  const serialize: Serialize = serializers.get(schema) ?? fastJson(schema)
  serializers.set(schema, serialize)
  return serialize
}

const serializeLazily = (schema: Schema): Serialize => {
  let serialize: Serialize | undefined
  return (data) => (serialize ??= compile(schema))(data)
}

const addJsonParser = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = readText(request.headers['content-type'], bytes)
    } catch (error) {
      return done(error as Error) // It throws only our own.
    }
    if (isTooDeep(text)) return done(MalformedJson(`The body is nested deeper than ${maxDepth} levels`))
    void parse(request, text, (error, value) => {
      if (error) return done(MalformedJson(error.message))
      try {
        requireStorableJson(text, value)
      } catch (error) {
        return done(error as Error) // It throws only our own.
      }
      done(null, value)
    })
  })
}

/** @throws unknown_parameter: who misspells a filter would take the whole list for what they asked for */
const requireKnownParameters = ({ query, routeOptions: { config } }: FastifyRequest): void => {
  const { contract, openQuery } = config
  if (!contract || contract.hide || openQuery !== undefined) return
  // Our queries are TypeBox objects.
  const { properties = {} } = fieldsOf(contract.querystring)
  const unknown = Object.keys(fieldsOf(query)).filter((name) => !Object.hasOwn(fieldsOf(properties), name))
  if (unknown.length === 0) return
  const known = Object.keys(fieldsOf(properties))
  const message = 'is not a parameter of this operation'
  const errors = unknown.map((name) =>
    ({ pointer: `/querystring/${escapePointer(name)}`, code: 'unknown_parameter', message }))
  const takes = known.length > 0 ? `these: ${known.join(', ')}` : 'none'
  throw UnknownParameter(`${errors[0]?.pointer} ${message}, which takes ${takes}`, { errors })
}

/** The parser of queries would take a broken escape for the characters that write it. @throws malformed_request */
const requireEscapes = (url: string): void => {
  const escape = findBrokenEscape(url.slice(url.indexOf('?') + 1))
  if (escape === undefined) return
  throw MalformedRequest(`${escape.slice(0, 30)} in the query is no percent-escape of UTF-8`)
}

const queryHook = async (request: FastifyRequest) => {
  if (request.url.includes('?')) requireEscapes(request.url)
  if (request.url.includes('%00')) requireStorable({ query: request.query, params: request.params })
  if (request.url.includes('?')) requireKnownParameters(request)
}

/** Bodies are read as they are sent. @throws unsupported_media_type */
const requirePlain = async ({ headers: { 'content-encoding': encoding } }: FastifyRequest) => {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw UnsupportedMediaType(`A body with Content-Encoding ${encoding.slice(0, 40)} is not read: send it as it is`)
    .withHeaders({ 'accept-encoding': 'identity' })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why the query may hold parameters that the operation does not know. */
    openQuery?: string
    /** The route's schema with its component names, for the OpenAPI document and the tools. */
    contract?: FastifySchema
    /** What a request without a body means; so the document says that none need be sent. */
    emptyBody?: object
  }
}

const keepContract = (route: RouteOptions) => {
  if (!route.schema || route.config?.contract) return
  route.config = { ...route.config, contract: route.schema }
  route.schema = withoutIds(route.schema)
}

const takeEmptyBody = (route: RouteOptions) => {
  const empty = route.config?.emptyBody
  if (empty === undefined) return
  const fill = async (request: FastifyRequest) => { request.body ??= { ...empty } }
  route.preValidation = [route.preValidation ?? [], fill].flat()
}

export default fp(async (app: FastifyInstance) => {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    lazily(httpPart === 'body' ? forJson : forText, schema as AnySchema))
  // Our schemas hold no references to others, so one is whole by itself.
  app.setSerializerCompiler(({ schema }) => serializeLazily(schema as Schema))
  app.addHook('onRoute', keepContract)
  app.addHook('onRoute', takeEmptyBody)
  app.addHook('preParsing', requirePlain)
  app.addHook('preValidation', queryHook)
  addJsonParser(app)
}, { name: 'validation' })
