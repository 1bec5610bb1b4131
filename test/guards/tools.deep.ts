import t from '../tap.js'
import type { Tool } from '../../lib/tools/tool.js'
import { asAdmin, workspace } from '../app.js'

const app = await workspace(t)
const me = (await app.inject({ url: '/account/me', headers: asAdmin })).json()
const admin = {
  workspace_id: app.home.workspace_id,
  user_id: String(me.id),
  name: 'Admin',
  role: 'admin' as const,
  bindings: null,
  scopes: null,
  via: 'token' as const,
  via_id: null
}
const tools = app.tools.list(admin).flatMap(({ name }) => app.tools.find(name) ?? [])

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Node { path: string, schema: Schema, isProperty: boolean, depth: number }

/** Every schema of a tool, with where it stands. */
const nodesOf = (path: string, schema: unknown, isProperty = false, depth = 0): Node[] => {
  if (!isObject(schema)) return []
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return [
    { path, schema, isProperty, depth },
    ...properties.flatMap(([name, inner]) => nodesOf(`${path}.${name}`, inner, true, depth + 1)),
    ...nodesOf(`${path}[]`, schema.items, false, depth + 1),
    ...nodesOf(`${path}{}`, schema.additionalProperties, false, depth + 1)
  ]
}

const nodes = tools.flatMap(({ name, model }) => nodesOf(name, model.input_schema))
const pathsWhere = (isWrong: (node: Node) => boolean): string[] => nodes.filter(isWrong).map(({ path }) => path)

t.test('the walk finds the tools and what they take', async (t) => {
  t.ok(tools.length > 90)
  t.ok(nodes.length > 700)
})

t.test('a tool has words: when to use it, what it gives back, and by what it is found', async (t) => {
  const isWordless = ({ words: { use, gives, keywords } }: Tool) =>
    !/^Use this .{20,}\.$/.test(use) || !/^\S.{8,}\.$/.test(gives) || keywords.split(' ').length < 3
  t.same(tools.filter(isWordless).map(({ name }) => name), [])
  const { length } = tools.filter(({ words }) => words.core)
  t.ok(length >= 20 && length <= 30, `${length} are always there`)
})

t.test('every tool says whether its results may have been written outside the workspace', async (t) => {
  t.same(tools.filter(({ words: { foreign } }) => typeof foreign !== 'boolean').map(({ name }) => name), [])
  // Stored texts too: a spec, a brief and a post hold what their sources said, a publication what its target answered.
  t.same(app.tools.foreign().sort(), ['browseRepository', 'diffContent', 'diffSpecVersions', 'getAuditWrite',
    'getBrief', 'getBuild', 'getBuildLogs', 'getContent', 'getContentGeneration', 'getContentReviewer',
    'getFunctionLogs', 'getIssue', 'getPull', 'getReceipt', 'getRepository', 'getServiceLogs', 'getSpecGeneration',
    'getSpecInput', 'getSpecSession', 'getSpecVersion', 'getToolCall', 'invokeFunction', 'listActivity',
    'listAuditEntries', 'listBriefs', 'listBuilds', 'listCommits', 'listContentStatements', 'listContentVersions',
    'listContents', 'listIssueComments', 'listNotTaken', 'listPublications', 'listPulls', 'listReceipts',
    'listRepositories', 'listSpecFiles', 'listSpecInputs', 'listSpecIssues', 'listSpecVersions', 'previewContent',
    'searchCommits', 'traceSpec', 'whyUnhealthy'])
})

t.test('every property is described', async (t) => {
  t.same(pathsWhere(({ schema, isProperty }) => isProperty && !/\S{3,}/.test(String(schema.description ?? ''))), [])
})

/** Talk of the wire, on which a model cannot act. A status counts where it stands like one. */
const wire = new RegExp('\\b(HTTP|GET|PUT|POST|PATCH|DELETE|ETags?|If-(None-)?Match|Accept:|headers?|endpoints?|' +
  'status codes?|(request|response) body|query (string|parameter)|percent-encoded|path parameter|' +
  'read_only_field|(20[0-6]|30[1-8]|40[0-9]|41[0-9]|42[0-9]|50[0-4]) [a-z]+_[a-z_]+)\\b|\\((20|40|41|42|50)\\d\\)')

t.test('no description speaks of the wire', async (t) => {
  t.same(tools.filter(({ model }) => wire.test(model.description)).map(({ name }) => name), [])
  t.same(pathsWhere(({ schema }) => wire.test(String(schema.description ?? ''))), [])
})

t.test('no tool takes what is only taken back', async (t) => {
  const isReadBack = ({ path, schema }: Node) => /as it was read/i.test(String(schema.description ?? '')) ||
    /^[^.]+\.(created_at|created_by|updated_at|updated_by|revision)$/.test(path)
  t.same(pathsWhere(isReadBack), [])
})

/** What every provider of models takes in a tool's schema. */
const taken = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', 'items', 'enum',
  'minimum', 'maximum', 'default'])

t.test('a schema has only what every provider takes, and is not deep', async (t) => {
  t.same([...new Set(nodes.flatMap(({ schema }) => Object.keys(schema).filter((key) => !taken.has(key))))], [])
  t.same(tools.filter(({ model }) => model.input_schema.type !== 'object').map(({ name }) => name), [])
  t.same(pathsWhere(({ depth }) => depth > 10), [])
  const isBroken = ({ schema: { properties, required = [], enum: values = [] } }: Node) =>
    (required as string[]).some((name) => !(name in Object(properties))) || (values as unknown[]).includes(undefined)
  t.same(pathsWhere(isBroken), [])
})

t.test('what a model is shown is part of what the route takes', async (t) => {
  const isStrange = ({ schema, model }: Tool) => {
    const shown = Object.keys(Object(model.input_schema.properties))
    return shown.some((name) => !(name in schema.properties)) ||
      schema.required.some((name) => !shown.includes(name))
  }
  t.same(tools.filter(isStrange).map(({ name }) => name), [])
})

/** How many letters are to be changed, added or left out between two words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

t.test('no name is a letter away from another', async (t) => {
  t.equal(distance('getContent', 'getContents'), 1)
  const names = tools.map(({ name }) => name.toLowerCase())
  t.same(names.flatMap((a, index) => names.slice(index + 1).filter((b) => distance(a, b) < 2).map((b) => [a, b])), [])
})
