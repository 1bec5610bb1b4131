import t from '../tap.js'
import { workspace } from '../app.js'
import { read } from './sources.js'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
  discriminator?: { mapping: Record<string, string> }
}
type Content = Record<string, { schema?: Schema }>
interface Parameter { $ref?: string, name: string, in: string }
interface Response { $ref?: string, description: string, content?: Content }
interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
  }
}

const app = await workspace(t)
// What the plugin makes of itself is JSON; only the parts that are looked at are typed here.
const document = JSON.parse(JSON.stringify(app.swagger())) as Document

const follow = <T extends { $ref?: string }>(parts: Record<string, T>, part: T): T => {
  const found = part.$ref === undefined ? part : parts[part.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`Nothing is at ${part.$ref}`)
  return found
}

/** With its parts in place. */
const whole = ({ parameters, responses, ...operation }: Operation): Operation => ({
  ...operation,
  ...(parameters && { parameters: parameters.map((one) => follow(document.components.parameters, one)) }),
  responses: Object.fromEntries(Object.entries(responses).map(([status, one]) =>
    [status, follow(document.components.responses, one)]))
})

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) =>
    ({ ...whole(operation), name: `${method.toUpperCase()} ${path}` })))
const names = (wrong: { name: string }[]) => wrong.map(({ name }) => name)

t.test('the walk finds the operations', async (t) => {
  t.equal(document.openapi, '3.1.0')
  t.ok(operations.length > 30)
})

t.test('openapi.yaml is fresh; if not: npm run openapi', async (t) => {
  t.ok(app.swagger({ yaml: true }) === read('openapi.yaml'))
})

t.test('the operations of the specification are served at exactly its paths', async (t) => {
  const specified: [string, string[]][] = [
    ['POST /api/v1/agent/chat', []],
    ['POST /api/v1/agent/confirm', []],
    ['GET /api/v1/agent/sessions', []],
    ['POST /api/v1/agent/generate-title', []],
    ['GET /api/v1/agent/memory/preferences', []],
    ['POST /api/v1/agent/memory/preferences', []],
    ['GET /cloud/accounts', []],
    ['POST /cloud/accounts', []],
    ['POST /cloud/accounts/{account_id}/test', []],
    ['GET /cloud/costs', ['account_id', 'start_date', 'end_date']],
    ['GET /infrastructure/containers/clusters', ['account_id']],
    ['GET /infrastructure/containers/clusters/{cluster}/services', ['account_id']],
    ['POST /infrastructure/containers/services/{service}/deploy', []],
    ['POST /infrastructure/containers/services/{service}/scale', []],
    ['GET /infrastructure/containers/services/{service}/logs', []],
    ['GET /infrastructure/serverless/functions', ['account_id']],
    ['POST /infrastructure/serverless/functions/{name}/invoke', []],
    ['GET /infrastructure/serverless/functions/{name}/logs', []],
    ['GET /deployments/apps', []],
    ['POST /deployments/apps/{app_id}/deploy', []],
    ['GET /deployments/apps/{app_id}/builds/{build_id}/logs', []],
    ['GET /content/brands/{project_id}', []],
    ['PUT /content/brands/{project_id}', []],
    ['GET /content/briefs', []],
    ['POST /content/briefs', []],
    ['GET /pse/sessions', []],
    ['POST /pse/sessions', []],
    ['GET /pse/sessions/{session_id}', []],
    ['POST /pse/sessions/{session_id}/inputs', []],
    ['POST /pse/sessions/{session_id}/generate', []],
    ['GET /codehost-oauth/authorize', []],
    ['GET /codehost-oauth/callback', []],
    ['POST /content/generate', []],
    ['GET /content/{content_id}', []],
    ['PUT /content/{content_id}', []],
    ['DELETE /content/{content_id}', []]
  ]
  for (const [name, query] of specified) {
    const found = operations.find((operation) => operation.name === name)
    t.ok(found, name)
    const taken = (found?.parameters ?? []).filter((parameter) => parameter.in === 'query').map((one) => one.name)
    t.same(query.filter((parameter) => !taken.includes(parameter)), [], `${name} takes its query parameters`)
  }
})

t.test('every operation has one id, one known tag, a summary and a description', async (t) => {
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length)
  const tags = document.tags.map(({ name }) => name)
  t.same(names(operations.filter((one) => one.tags?.length !== 1 || !tags.includes(one.tags[0] ?? ''))), [])
  t.same(names(operations.filter(({ operationId }) => !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(operationId ?? ''))), [])
  t.same(names(operations.filter(({ summary, description }) => !summary || !description)), [])
})

t.test('every operation says what it answers, and errors are problems', async (t) => {
  const says = ({ responses }: Operation) => Object.entries(responses).some(([status, { content }]) =>
    /^3|204/.test(status) || (status.startsWith('2') && Object.values(content ?? {}).some(({ schema }) => schema)))
  t.same(names(operations.filter((operation) => !says(operation))), [])
  const isProblem = (content: Content | undefined) =>
    content?.['application/problem+json']?.schema?.$ref === '#/components/schemas/Problem'
  const wrong = operations.filter(({ responses }) => Object.entries(responses).some(([status, { content }]) =>
    /^[45]/.test(status) && !isProblem(content)))
  t.same(names(wrong), [])
  const vague = operations.filter(({ responses }) =>
    Object.values(responses).some(({ description }) => description === '' || description === 'Default Response'))
  t.same(names(vague), [])
})

t.test('what several operations answer or take alike stands once', async (t) => {
  const parts = Object.values(document.paths).flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [], responses }) => [...parameters,
      ...Object.entries(responses).flatMap(([status, one]) => /^[45]/.test(status) ? [one] : [])])
  const inline = parts.filter(({ $ref }) => $ref === undefined).map((part) => JSON.stringify(part))
  t.ok(parts.length > 1_000)
  t.same(inline.filter((text, i) => inline.indexOf(text) !== i), [])
})

const find = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}

/** @returns where the schema takes keys that it does not name */
const openings = (schema: Schema, path: string, seen: Schema[] = []): string[] => {
  const whole = find(schema)
  if (seen.includes(whole)) return []
  const inner = (part: Schema, name: string) => openings(part, `${path}${name}`, [...seen, whole])
  const isOpen = whole.properties !== undefined && whole.additionalProperties !== false
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(whole.properties ?? {}).flatMap(([name, part]) => inner(part, `/${name}`)),
    ...(whole.items ? inner(whole.items, '/items') : []),
    ...[...whole.anyOf ?? [], ...whole.oneOf ?? []].flatMap((part) => inner(part, ''))
  ]
}

t.test('bodies are closed, all the way down', async (t) => {
  const bodies = operations.flatMap(({ name, requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ name, schema: schema ?? {} })))
  t.ok(bodies.length > 10)
  t.same(bodies.flatMap(({ name, schema }) => openings(schema, name)), [])
  t.same(names(bodies.filter(({ schema }) => schema.$ref === undefined)), [], 'and have names')
})

t.test('the events of a stream are a union with a discriminator and its mapping', async (t) => {
  const streams = operations.flatMap(({ name, responses }) => Object.values(responses).flatMap(({ content }) => {
    const schema = content?.['text/event-stream']?.schema
    return schema ? [{ name, schema: find(schema) }] : []
  }))
  t.ok(streams.length > 1)
  t.same(names(streams.filter(({ schema }) => Object.keys(schema.discriminator?.mapping ?? {}).length < 2)), [])
})
