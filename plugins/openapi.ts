import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Components, resolve } from '../lib/openapi/components.js'
import { declaredErrors, documentRoute } from '../lib/openapi/contract.js'
import { describeHeaders, type Document } from '../lib/openapi/headers.js'
import { shareParts } from '../lib/openapi/shared-parts.js'
import { stewardVersion } from '../lib/openapi/version.js'
import { MethodNotAllowed, type ErrorDefinition } from '../schemas/errors.js'
import { fieldsOf } from '../schemas/unknown.js'

type Json = Record<string, unknown>

const info = {
  title: 'Steward',
  version: stewardVersion,
  description:
    'One API over cloud accounts, deployments, specs, content and a code host, and an assistant that asks before ' +
    'it acts.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  contact: { name: 'Steward' }
}

const tags = [
  { name: 'agent', description: 'The assistant: chat, approvals, sessions, memory' },
  { name: 'cloud', description: 'Cloud accounts and costs' },
  { name: 'infrastructure', description: 'Containers and serverless functions' },
  { name: 'deployments', description: 'Applications and their builds' },
  { name: 'pse', description: 'Spec generation' },
  { name: 'content', description: 'Brands, briefs, content and publishing' },
  { name: 'codehost', description: 'Repositories, commits, pull requests, activity' },
  { name: 'account', description: 'People, tokens, projects' },
  { name: 'service', description: 'Health and documents' }
]

/** Every code that some operation answers, with its one status: what clients may meet. */
class ErrorCodes {
  readonly #codes = new Map<string, ErrorDefinition>()

  collect (errors: ErrorDefinition[]): void {
    for (const error of errors) this.#codes.set(error.code, error)
  }

  named (): Json {
    const sorted = [...this.#codes.values()].sort((a, b) => a.code < b.code ? -1 : 1)
    return Object.fromEntries(sorted.map(({ code, status, title }) => [code, { status, title }]))
  }
}

export default fp(
  async (app: FastifyInstance) => {
    const components = new Components()
    const codes = new ErrorCodes()
    // What no operation answers by itself: it became a request of none.
    codes.collect([MethodNotAllowed])
    /** Operations that take a request without a body, by their ids. */
    const bodiless = new Set<unknown>()
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info,
        tags,
        servers: [{ url: '/' }],
        components: {
          securitySchemes: {
            token: { type: 'http', scheme: 'bearer', description: 'An API token' },
            session: { type: 'apiKey', in: 'cookie', name: '__Host-steward', description: 'A browser session' }
          }
        },
        security: [{ token: [] }, { session: [] }]
      },
      convertConstToEnum: false,
      hideUntagged: true,
      transform: ({ schema, url, route }) => {
        const contract = route.config?.contract ?? schema ?? {}
        if (!contract.hide) codes.collect(declaredErrors(route))
        if (route.config?.emptyBody !== undefined) bodiless.add(fieldsOf(contract).operationId)
        return { schema: documentRoute(route, contract, components), url }
      },
      transformObject: (document) => {
        const openapi = ('openapiObject' in document ? document.openapiObject : document.swaggerObject) as Json
        const held = openapi.components as Json
        for (const path of Object.values(fieldsOf(openapi.paths))) {
          for (const { operationId, requestBody } of Object.values(fieldsOf(path)).map(fieldsOf)) {
            // @fastify/swagger calls every body required.
            if (bodiless.has(operationId)) fieldsOf(requestBody).required = false
          }
        }
        const all = { ...held, schemas: components.named() }
        const whole = resolve({ ...openapi, components: all, 'x-error-codes': codes.named() })
        return shareParts(describeHeaders(whole as Document)) as typeof openapi
      }
    })
  },
  { name: 'openapi', dependencies: ['validation', 'access-table'] }
)
