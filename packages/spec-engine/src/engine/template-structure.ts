import type { SpecDocument } from '../schemas/document.js'
import { type Block, blocksOf, hasNoSection, isProse, plain, roleOf } from 'steward-document-reader/document'
import { citeRange, type Source } from './material.js'
import type { Unit } from './read-source.js'
import type { Build } from './template.js'
import { keyOf, shorten } from './words.js'

type Entity = SpecDocument['entities'][number]
type InterfaceNote = SpecDocument['interfaces'][number]

const maxItems = 60

const cellsOf = (row: string): string[] => row.trim().replace(/^\||\|$/g, '').split('|').map((cell) => plain(cell))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Runs of rows without another block between them. */
const tablesOf = (blocks: Block[]): Block[][] => {
  const tables: Block[][] = []
  let last: Block | undefined
  for (const block of blocks) {
    if (block.kind === 'row' && last?.kind === 'row') tables.at(-1)?.push(block)
    else if (block.kind === 'row') tables.push([block])
    last = block
  }
  return tables
}

/** A table with columns for a name and a type describes an entity. */
const toEntity = (source: Source, rows: Block[]): Entity[] => {
  const [first, ...rest] = rows
  if (!first) return []
  const header = cellsOf(source.text.slice(first.start, first.end)).map((cell) => cell.toLowerCase())
  const name = header.findIndex((cell) => /^(?:name|field|column|attribute|property)/.test(cell))
  const type = header.findIndex((cell) => /^(?:type|format|data type)/.test(cell))
  if (name === -1 || type === -1) return []
  const note = header.findIndex((cell) => /^(?:description|meaning|notes?|comment)/.test(cell))
  const cells = rest.map(({ start, end }) => cellsOf(source.text.slice(start, end)))
  const fields = cells.filter((row) => !row.every((cell) => /^:?-*:?$/.test(cell))).slice(0, maxItems).map((row) => ({
    name: shorten(row[name] ?? '', 120), type: shorten(row[type] ?? '', 120), description: shorten(row[note] ?? '', 500)
  }))
  const title = first.headings.at(-1) ?? 'Table'
  return [{ name: shorten(title, 120), description: '', fields, citations: citeRange(source, first.start, first.end) }]
}

const parseJson = ({ text, media_type }: Source): unknown => {
  if (!/json/.test(media_type) && !/^\s*\{/.test(text.slice(0, 200))) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

const operationsOf = (source: Source, paths: Record<string, unknown>): InterfaceNote[] =>
  Object.entries(paths).flatMap(([path, item]) => Object.entries(isRecord(item) ? item : {})
    .filter(([method]) => methods.has(method)).map(([method, operation]) => {
      const summary = isRecord(operation) ? operation.summary ?? operation.description ?? '' : ''
      const at = source.text.indexOf(JSON.stringify(path))
      const citations = at === -1 ? [] : citeRange(source, at, at + JSON.stringify(path).length)
      return {
        name: shorten(`${method.toUpperCase()} ${path}`, 200), description: shorten(String(summary), 500), citations
      }
    }))

const schemaEntity = (name: string, schema: unknown): Entity[] => {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : undefined
  if (!properties) return []
  const fields = Object.entries(properties).slice(0, maxItems).map(([field, part]) => ({
    name: shorten(field, 120),
    type: shorten(isRecord(part) ? String(part.type ?? '') : '', 120),
    description: shorten(isRecord(part) ? String(part.description ?? '') : '', 500)
  }))
  return [{ name: shorten(name, 120), description: '', fields, citations: [] }]
}

/** Reads interfaces and entities from OpenAPI documents, and entities from JSON schemas. */
const fromJson = (source: Source): { entities: Entity[], interfaces: InterfaceNote[] } => {
  const value = parseJson(source)
  if (!isRecord(value)) return { entities: [], interfaces: [] }
  const components = isRecord(value.components) && isRecord(value.components.schemas) ? value.components.schemas : {}
  const title = typeof value.title === 'string' ? value.title : source.label || 'Schema'
  return {
    interfaces: isRecord(value.paths) ? operationsOf(source, value.paths) : [],
    entities: [
      ...Object.entries(components).flatMap(([name, schema]) => schemaEntity(name, schema)),
      ...schemaEntity(title, value)
    ]
  }
}

const slug = (title: string): string =>
  keyOf(title).replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'section'

/** Fills the sections that attached templates define from input sections with the same heading. */
const extraSections = ({ standards, units }: Build): SpecDocument['sections'] => {
  const bodies = standards.filter(({ kind }) => kind === 'template').map(({ body_markdown }) => body_markdown)
  const titles = bodies.flatMap((body) => blocksOf(body, 'text/markdown')
    .filter(({ kind }) => kind === 'heading').map(({ headings }) => headings.at(-1) ?? ''))
  const requested = new Map(titles.filter((title) => hasNoSection(roleOf([title])))
    .map((title) => [slug(title), title]))
  const matching = new Map([...requested.keys()].map((key): [string, Unit[]] => [key, []]))
  if (requested.size > 0) for (const unit of units) matching.get(slug(unit.headings.at(-1) ?? ''))?.push(unit)
  return [...requested].slice(0, maxItems).map(([key, title]) => ({
    key,
    title: shorten(title, 200),
    text: shorten((matching.get(key) ?? []).map(({ text }) => text).join('\n'), 10_000),
    citations: (matching.get(key) ?? []).slice(0, 20).flatMap(({ source, start, end }) => citeRange(source, start, end))
  }))
}

/** Collects entities and interfaces from tables, OpenAPI documents and JSON schemas, and the templates' sections. */
export const collectStructure = (build: Build) => {
  const prose = build.sources.filter(({ media_type }) => isProse(media_type))
  const tables = prose.flatMap((source) =>
    tablesOf(blocksOf(source.text, source.media_type)).flatMap((rows) => toEntity(source, rows)))
  const files = build.sources.map(fromJson)
  return {
    entities: [...tables, ...files.flatMap(({ entities }) => entities)].slice(0, maxItems),
    interfaces: files.flatMap(({ interfaces }) => interfaces).slice(0, maxItems),
    sections: extraSections(build)
  }
}
