import { Type, type Static } from '@sinclair/typebox'
import type { IncomingHttpHeaders } from 'node:http'
import type { Tool } from '../../../lib/tools/tool.js'
import { areas } from '../../../schemas/account/scopes.js'
import { InvalidRequest } from '../../../schemas/errors.js'

const flag = ['true', 'false'] as const

/** By address, for clients that can set nothing else; the headers are those of GitHub's MCP server. */
export const McpQuery = Type.Object({
  toolsets: Type.Optional(Type.String({ maxLength: 300, description: 'core, all, or names of areas with commas' })),
  readonly: Type.Optional(Type.Union(flag.map((value) => Type.Literal(value)), { description: 'Offers no writes' }))
}, { additionalProperties: false })

/** Which tools a client is offered. */
export interface Selection {
  /** `core` has a search for the rest; `all` is everything; else those of the areas. */
  of: 'core' | 'all' | ReadonlySet<string>
  readOnly: boolean
}

const invalid = (pointer: string, message: string) =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code: 'invalid', message }] })

const isTrue = (value: string | undefined, pointer: string): boolean => {
  if (value === undefined || value === '' || value === 'false') return false
  if (value === 'true') return true
  throw invalid(pointer, 'must be true or false')
}

const readSets = (text: string, pointer: string): Selection['of'] => {
  const known: readonly string[] = ['core', 'all', ...areas]
  const names = text.split(',').map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw invalid(pointer, `has no toolset ${unknown.slice(0, 64)}: it takes ${known.join(', ')}`)
  }
  if (names.includes('all')) return 'all'
  if (names.length === 0 || names.includes('core')) return 'core'
  return new Set(names)
}

/** @throws invalid_request for a toolset that there is not */
export const readSelection = (query: Static<typeof McpQuery>, headers: IncomingHttpHeaders): Selection => {
  // Node joins headers of these names.
  const header = (name: string) => headers[name]?.toString()
  return {
    of: query.toolsets === undefined
      ? readSets(header('x-mcp-toolsets') ?? '', '/headers/x-mcp-toolsets')
      : readSets(query.toolsets, '/toolsets'),
    readOnly: isTrue(query.readonly, '/readonly') || isTrue(header('x-mcp-readonly'), '/headers/x-mcp-readonly')
  }
}

const areaOf = ({ access }: Tool): string => access?.scope.split(':')[0] ?? ''

/** @returns whether a client may call the tool: with the core it finds the others */
export const isOffered = ({ of, readOnly }: Selection, tool: Tool): boolean =>
  !(readOnly && tool.effect === 'write') && (typeof of === 'string' || of.has(areaOf(tool)))

/** @returns whether the list has the tool */
export const isListed = (selection: Selection, tool: Tool): boolean =>
  isOffered(selection, tool) && (selection.of !== 'core' || tool.words.core === true)
