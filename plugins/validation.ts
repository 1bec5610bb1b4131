import type { AnySchema } from 'ajv'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { InvalidText, MalformedJson } from '../schemas/errors.js'
import { forJson, forText, lazily, withoutIds } from './json-schemas.js'

export { compileJson, withoutIds } from './json-schemas.js'

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

/** @throws invalid_text, with the place */
export const demandStorable = (value: unknown): void => {
  const pointer = findUnstorable(value)
  if (pointer !== undefined) throw refuse(pointer)
}

const textHook = async (request: { query: unknown, params: unknown, url: string }) => {
  if (request.url.includes('%00')) demandStorable({ query: request.query, params: request.params })
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
