import type { TSchema } from '@sinclair/typebox'
import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidText, MalformedJson } from '../schemas/errors.js'

const options: Options = { removeAdditional: false, useDefaults: true, allErrors: false, strict: false }
/** As PostgreSQL writes them; ajv's own would also take `urn:uuid:…`. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const withFormats = (ajv: Ajv) =>
  formats.default(ajv, ['date-time', 'date', 'email', 'uri', 'time', 'regex']).addFormat('uuid', uuid)

/** Text (query, path, headers) is coerced to the schema's types; JSON never is. */
const forText = withFormats(new Ajv({ ...options, coerceTypes: 'array' }))
const forJson = withFormats(new Ajv({ ...options, coerceTypes: false }))

/** @returns the schema without its component names, which two copies of one schema may not share in a compiler */
export const withoutIds = <T>(schema: T): T => {
  if (Array.isArray(schema)) return schema.map(withoutIds) as T
  if (schema === null || typeof schema !== 'object') return schema
  const entries = Object.entries(schema).filter(([key, value]) => key !== '$id' || typeof value !== 'string')
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)])) as T
}

/** Arguments of tools are digested before they are checked, so checking may not fill anything in. */
const forArguments = withFormats(new Ajv({ ...options, coerceTypes: false, useDefaults: false }))

/** Compiles a schema when it is first needed: a start does not wait for a hundred that nobody asks for yet. */
const lazily = (ajv: Ajv, schema: AnySchema) => {
  let compiled: ValidateFunction | undefined
  const validate = (data: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    const fits = compiled(data)
    validate.errors = compiled.errors
    return fits
  }
  validate.errors = undefined as ValidateFunction['errors']
  return validate
}

/** Compiles a schema with the rules of a JSON body; for tool arguments, which it leaves as they are. */
export const compileJson = (schema: TSchema) => lazily(forArguments, withoutIds(schema))

const serializeLazily = (schema: Schema) => {
  let serialize: ((data: unknown) => string) | undefined
  return (data: unknown): string => (serialize ??= fastJson(schema))(data)
}

const maxDepth = 64
const unstorable = /\\u0000|\\u[dD][89a-fA-F]/

const tooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if ((code === 91 || code === 123) && ++depth > maxDepth) return true
    else if (code === 93 || code === 125) depth--
  }
  return false
}

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** @returns the pointer of the first string, key or value, that PostgreSQL cannot hold */
const findUnstorable = (value: unknown, pointer = ''): string | undefined => {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? pointer : undefined
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, child] of Object.entries(value)) {
    const here = `${pointer}/${escape(key)}`
    const found = key.includes('\0') || !key.isWellFormed() ? here.toWellFormed() : findUnstorable(child, here)
    if (found !== undefined) return found
  }
  return undefined
}

const refuse = (pointer: string) => InvalidText(`${pointer} holds NUL or half of a surrogate pair`,
  { errors: [{ pointer, code: 'invalid_text', message: 'holds NUL or half of a surrogate pair' }] })

const addJsonParser = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    if (text === '') return done(null, undefined)
    if (tooDeep(text)) return done(MalformedJson(`The body is nested deeper than ${maxDepth} levels`))
    void parse(request, text, (error, value) => {
      if (error) return done(MalformedJson(error.message))
      const pointer = unstorable.test(text) ? findUnstorable(value) : undefined
      done(pointer === undefined ? null : refuse(pointer), value)
    })
  })
}

const textHook = async (request: { query: unknown, params: unknown, url: string }) => {
  if (!request.url.includes('%00')) return
  const pointer = findUnstorable({ query: request.query, params: request.params })
  if (pointer !== undefined) throw refuse(pointer)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's schema with its component names, for the OpenAPI document and the tools. */
    contract?: FastifySchema
  }
}

const keepContract = (route: RouteOptions) => {
  if (!route.schema || route.config?.contract) return
  route.config = { ...route.config, contract: route.schema }
  route.schema = withoutIds(route.schema)
}

export default fp(async (app: FastifyInstance) => {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    lazily(httpPart === 'body' ? forJson : forText, schema as AnySchema))
  // Our schemas hold no references to others, so one is whole by itself.
  app.setSerializerCompiler(({ schema }) => serializeLazily(schema as Schema))
  app.addHook('onRoute', keepContract)
  app.addHook('preValidation', textHook)
  addJsonParser(app)
}, { name: 'validation' })
