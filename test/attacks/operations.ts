import type { App } from '../app.js'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  minItems?: number
  default?: unknown
  required?: string[]
  minProperties?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An operation as the OpenAPI document of the running application describes it. */
export interface Operation {
  id: string
  method: Method
  path: string
  isPublic: boolean
  streams: boolean
  parameters: Parameter[]
  body?: Schema
}

interface DocumentedOperation {
  operationId: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema>, parameters: Record<string, Parameter> }
}

const documentOf = (app: App): Document => JSON.parse(JSON.stringify(app.swagger())) as Document

/** What several operations take alike stands once, under `components`. */
const follow = (parameters: Record<string, Parameter>) => (parameter: Parameter): Parameter => {
  const name = parameter.$ref?.split('/').at(-1)
  return name === undefined ? parameter : itemOf(parameters, name)
}

const itemOf = <T>(items: Record<string, T>, name: string): T => {
  const item = items[name]
  if (item === undefined) throw new Error(`The document has no ${name}`)
  return item
}

const asOperation = (components: Document['components'], path: string, method: string,
  documented: DocumentedOperation): Operation => ({
  id: documented.operationId,
  method: method.toUpperCase() as Method,
  path,
  isPublic: documented.security?.length === 0,
  streams: Object.values(documented.responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
  parameters: (documented.parameters ?? []).map(follow(components.parameters)),
  body: documented.requestBody?.content['application/json']?.schema
})

/** @returns every operation, and how to follow a reference of its schemas */
export const walk = (app: App) => {
  const { paths, components } = documentOf(app)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => asOperation(components, path, method, documented)))
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').pop()
    return name === undefined ? schema : resolve(components.schemas[name] ?? {})
  }
  return { operations, resolve }
}

/** @returns the operation's address with these values; query parameters without a value are left out */
export const addressOf = ({ path, parameters }: Operation, valueOf: (parameter: Parameter) => string | undefined) => {
  const query = new URLSearchParams()
  let url = path
  for (const parameter of parameters) {
    const value = valueOf(parameter)
    if (value === undefined) continue
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(value))
    if (parameter.in === 'query') query.append(parameter.name, value)
  }
  return query.size > 0 ? `${url}?${query}` : url
}
