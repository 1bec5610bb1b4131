import { STATUS_CODES } from 'node:http'
import { countsChanges } from './contract.js'

interface Response {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema?: { $ref?: string } }>
}
interface Operation {
  security?: unknown[]
  parameters?: { name?: string }[]
  responses?: Record<string, Response>
}
export interface Document {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, { properties?: Record<string, unknown> }>; headers?: object }
}

const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema })
const count = { type: 'integer' }

/** Every header that answers carry, described once. */
const headers = {
  'ETag': header('The record\'s revision, for If-Match; of a record that was read also what was sent, for If-None-Match',
    { type: 'string', pattern: '^"r[0-9]+(\\.[\\w-]+)?"$' }),
  'Page-ETag': header('Names what the page holds, for If-None-Match', { type: 'string', pattern: '^W/"[\\w-]+"$' }),
  'Idempotent-Replayed': header('`true`: the stored answer of the first request with this key'),
  'Location': header('Where what was made can be read, when it has a URL of its own'),
  'RateLimit-Limit': header('Requests of the caller a minute', count),
  'RateLimit-Remaining': header('Those left in this minute', count),
  'RateLimit-Reset': header('Seconds until the next minute', count),
  'Retry-After': header('Seconds to wait', count),
  'Steward-Run-Id': header('The run whose events the stream sends', { type: 'string', format: 'uuid' }),
  'Steward-Session-Id': header('Its session', { type: 'string', format: 'uuid' }),
  'WWW-Authenticate': header('How to authenticate, and what was wrong with the credentials sent (RFC 6750)')
}

type Name = keyof typeof headers

/** One header of two kinds of answers. */
const sentAs = (name: Name): string => name === 'Page-ETag' ? 'ETag' : name

const rates: Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const byStatus: Record<string, Name[]> = {
  201: ['Location'],
  202: ['Location'],
  401: ['WWW-Authenticate'],
  412: ['ETag'],
  429: [...rates, 'Retry-After'],
  503: ['Retry-After']
}

const propertiesOf = (document: Document, response: Response): object => {
  const component = response.content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? ''
  return document.components?.schemas?.[component]?.properties ?? {}
}

const successHeaders = (document: Document, operation: Operation, response: Response): Name[] => {
  const types = response.content ?? {}
  const properties = propertiesOf(document, response)
  const schema = types['text/event-stream']?.schema?.$ref?.split('/').at(-1)
  const takesKey = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key')
  return [
    ...(countsChanges(properties) ? ['ETag' as const] : []),
    ...(schema === 'ChatEvent' ? ['Steward-Run-Id' as const, 'Steward-Session-Id' as const] : []),
    ...(takesKey ? ['Idempotent-Replayed' as const] : []),
    ...(operation.security?.length === 0 ? [] : rates)
  ]
}

/** A page, and that it has not changed. */
const pageHeaders = (document: Document, { responses = {} }: Operation, status: string): Name[] => {
  const { 200: page, 304: unchanged } = responses
  if (!page || !unchanged || !['200', '304'].includes(status)) return []
  return 'next_cursor' in propertiesOf(document, page) ? ['Page-ETag'] : []
}

const describe = (document: Document, operation: Operation, status: string, response: Response) => {
  const success = status.startsWith('2') ? successHeaders(document, operation, response) : []
  const page = pageHeaders(document, operation, status)
  const names = [...new Set([...(byStatus[status] ?? []), ...page, ...success])].sort()
  if (response.description === 'Default Response') response.description = STATUS_CODES[status] ?? ''
  if (names.length === 0) return
  const references = names.map((name) => [sentAs(name), { $ref: `#/components/headers/${name}` }])
  response.headers = { ...Object.fromEntries(references), ...response.headers }
}

/** Adds to every answer the headers that it carries, which follow from its status and its schema. */
export const describeHeaders = (document: Document): Document => {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        describe(document, operation, status, response)
      }
    }
  }
  return { ...document, components: { ...document.components, headers } }
}
