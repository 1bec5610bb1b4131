import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import { redactText } from '../../../lib/security/redaction.js'
import type { Answer } from '../../../plugins/tools.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'
import type { ResourcePage } from './offer.js'

/** A route that could not answer now, such as for the rate or an outage: an error of the protocol, not of the name. */
export class RouteProblem extends Error {
  /** What a client, or whoever it asks for help, finds the failure by. */
  readonly data: Record<string, unknown>

  constructor (body: unknown) {
    super(textIn(body, 'detail') ?? 'The request failed')
    this.name = 'RouteProblem'
    const { status, code, request_id } = fieldsOf(body)
    this.data = { status, code, request_id }
  }
}

const unavailable: readonly number[] = [400, 403, 404, 410]

/**
 * @returns the body; undefined for what is not there, or not for this token: the two look alike
 * @throws RouteProblem
 */
export const requireAnswered = ({ status, body }: Answer): unknown => {
  if (status < 300) return body
  if (unavailable.includes(status)) return undefined
  throw new RouteProblem(body)
}

type Deps = Pick<FastifyInstance, 'tools'>
type Item = Record<string, unknown>

/** A kind of things that people attach to a conversation. It is read through its route, with the token's rights. */
interface Kind {
  name: string
  title: string
  description: string
  /** By RFC 6570. */
  template: string
  /** The same as an expression, whose groups are what the template names. */
  pattern: RegExp
  mimeType: string
  /** Where the list of them is, and how one of its items is a resource; undefined: that item is none. */
  listUrl: string
  toResource: (item: Item) => { uri: string, title: string } | undefined
  readUrl: (parts: Record<string, string>) => string
}

const id = '[0-9a-f-]{36}'
const markdown = 'text/markdown'
const json = 'application/json'

const kinds: Kind[] = [
  {
    name: 'report',
    title: 'Report of a run',
    description: 'What a run of a schedule or an alert ended with, each sentence with the results that it cites',
    template: 'steward://reports/{report_id}',
    pattern: new RegExp(`^steward://reports/(?<report>${id})$`),
    mimeType: json,
    listUrl: '/api/v1/agent/reports',
    toResource: (item) => ({ uri: `steward://reports/${item.id}`, title: textIn(item, 'title') ?? 'Report' }),
    readUrl: ({ report }) => `/api/v1/agent/reports/${report}`
  },
  {
    name: 'session',
    title: 'Conversation',
    description: 'A whole conversation with the assistant: texts, calls and their results, as Markdown',
    template: 'steward://sessions/{session_id}',
    pattern: new RegExp(`^steward://sessions/(?<session>${id})$`),
    mimeType: markdown,
    listUrl: '/api/v1/agent/sessions',
    toResource: (item) => ({ uri: `steward://sessions/${item.id}`, title: textIn(item, 'title') ?? 'Conversation' }),
    readUrl: ({ session }) => `/api/v1/agent/sessions/${session}/export?format=markdown`
  },
  {
    name: 'spec',
    title: 'Version of a spec',
    description: 'A version of a specification, as Markdown; it never changes',
    template: 'steward://specs/{session_id}/versions/{version}',
    pattern: new RegExp(`^steward://specs/(?<spec>${id})/versions/(?<version>[1-9][0-9]{0,8})$`),
    mimeType: markdown,
    listUrl: '/pse/sessions',
    toResource: ({ session_id: spec, title, current_version: version }) => typeof version === 'number'
      ? { uri: `steward://specs/${spec}/versions/${version}`, title: `${title}, version ${version}` }
      : undefined,
    readUrl: ({ spec, version }) => `/pse/sessions/${spec}/export?layout=markdown&version=${version}`
  },
  {
    name: 'brand',
    title: 'Brand',
    description: 'How a project speaks: voice, tone, audiences, terms, style, claims and channels',
    template: 'steward://brands/{project_id}',
    pattern: new RegExp(`^steward://brands/(?<project>${id})$`),
    mimeType: json,
    listUrl: '/account/projects',
    toResource: (item) => ({ uri: `steward://brands/${item.id}`, title: `Brand of ${item.name}` }),
    readUrl: ({ project }) => `/content/brands/${project}`
  }
]

export const listTemplates = (): ResourceTemplateType[] =>
  kinds.map(({ name, title, description, template: uriTemplate, mimeType }) =>
    ({ name, title, description, uriTemplate, mimeType }))

/** A list of several lists: its cursor is the kind's number and that list's own cursor. */
const positionOf = (cursor: string): { at: number, inner: string } | undefined => {
  const [, at, inner = ''] = /^([0-9])\.(.*)$/s.exec(cursor) ?? []
  return at === undefined || kinds[Number(at)] === undefined ? undefined : { at: Number(at), inner }
}

const limit = '50'

/** @returns a page of one kind; no items where the token may not read them */
const readPage = async ({ tools }: Deps, principal: Principal, { listUrl }: Kind, inner: string) => {
  const query = new URLSearchParams({ limit, ...(inner !== '' && { cursor: inner }) })
  const answer = await tools.send(principal, { method: 'GET', url: `${listUrl}?${query}` })
  if (answer.status === 400) return undefined
  const { items, next_cursor: next } = fieldsOf(requireAnswered(answer))
  return { items: Array.isArray(items) ? items : [], next: typeof next === 'string' ? next : undefined }
}

const toResources = ({ name, description, mimeType, toResource }: Kind, items: readonly unknown[]): Resource[] =>
  items.flatMap((item) => {
    const made = toResource(fieldsOf(item))
    return made ? [{ name: `${name} ${made.uri.split('/').slice(3).join('/')}`, description, mimeType, ...made }] : []
  })

/** @returns one page of all kinds, one after the other; undefined for a cursor that no page has given */
export const listResources = async (deps: Deps, principal: Principal, cursor = '0.'):
Promise<ResourcePage | undefined> => {
  const position = positionOf(cursor)
  if (!position) return undefined
  for (let { at, inner } = position; ; at++, inner = '') {
    const kind = kinds[at]
    if (!kind) return { resources: [] }
    const page = await readPage(deps, principal, kind, inner)
    if (!page) return undefined
    const resources = toResources(kind, page.items)
    if (page.next !== undefined) return { resources, nextCursor: `${at}.${page.next}` }
    if (resources.length > 0) return { resources, ...(kinds[at + 1] && { nextCursor: `${at + 1}.` }) }
  }
}

/** @returns undefined where there is none under the name, or none for this token */
export const readResource = async ({ tools }: Deps, principal: Principal, uri: string):
Promise<ReadResourceResult | undefined> => {
  for (const { pattern, readUrl, mimeType } of kinds) {
    const parts = pattern.exec(uri)?.groups
    if (!parts) continue
    const body = requireAnswered(await tools.send(principal, { method: 'GET', url: readUrl(parts) }))
    if (body === undefined) return undefined
    const text = redactText(typeof body === 'string' ? body : JSON.stringify(body, null, 1))
    return { contents: [{ uri, mimeType, text }] }
  }
  return undefined
}
