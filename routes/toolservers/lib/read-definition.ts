import { createHash } from 'node:crypto'
import type { Offered } from '../../../db/toolservers/tools.js'
import { requireStorable } from '../../../lib/http/storable.js'
import { showLine } from '../../../lib/tools/show-text.js'
import type { LeftOut } from '../../../schemas/toolservers/servers.js'
import { isObject } from '../../../schemas/unknown.js'
import { readSchema, SchemaUnfit } from './read-schema.js'

/** With the server's name and the separator before it, a name of 64 characters, which is what a model takes. */
const toolName = /^[A-Za-z0-9_-]{1,42}$/
const maxBytes = 32_768

/** What is pinned: all that a model or a person could read of it. Icons and the like are not. */
const members = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
}

/** Names that a person may take for each other. */
const likeness = (name: string): string => name.toLowerCase().replace(/[-_]/g, '').replace(/0/g, 'o').replace(/[1i]/g, 'l')

/** @returns the definition as it is pinned. @throws SchemaUnfit where it cannot be used */
const readOne = (given: Record<string, unknown>, seen: ReadonlySet<string>): Offered => {
  const { name } = given
  if (typeof name !== 'string' || !toolName.test(name)) {
    throw new SchemaUnfit('its name is not 1 to 42 letters, digits, hyphens and underscores')
  }
  if (seen.has(likeness(name))) throw new SchemaUnfit('its name looks like that of another')
  const definition = Object.fromEntries(members.filter((key) => given[key] !== undefined)
    .map((key) => [key, canonical(given[key])]))
  const text = JSON.stringify(definition)
  if (Buffer.byteLength(text) > maxBytes) throw new SchemaUnfit(`it is larger than ${maxBytes} bytes`)
  readSchema(given.inputSchema)
  try {
    requireStorable(definition)
  } catch {
    throw new SchemaUnfit('it holds NUL or half of a surrogate pair')
  }
  return { name, definition, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` }
}

/** @returns the tools of a server as they are pinned, and those that cannot be used */
export const readDefinitions = (tools: readonly unknown[]): { offered: Offered[], leftOut: LeftOut[] } => {
  const offered: Offered[] = []
  const leftOut: LeftOut[] = []
  const seen = new Set<string>()
  for (const tool of tools) {
    const given = isObject(tool) ? tool : {}
    try {
      offered.push(readOne(given, seen))
      seen.add(likeness(String(given.name)))
    } catch (error) {
      if (!(error instanceof SchemaUnfit)) throw error
      leftOut.push({ name: showLine(String(given.name).toWellFormed().replaceAll('\0', '')), reason: error.message })
    }
  }
  return { offered, leftOut }
}
