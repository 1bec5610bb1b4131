import t from 'tap'
import { importsOf, listSources, read, type Import } from './sources.js'

const folders = ['schemas', 'db', 'plugins', 'routes', 'sandbox']
const files = folders.flatMap(listSources)
const imports = files.flatMap(importsOf)
const inside = imports.filter(({ external }) => !external)

const area = (path: string): string | undefined => /^routes\/([^/]+)\//.exec(path)?.[1]
const isLib = (path: string): boolean => /^routes\/[^/]+\/lib\//.test(path)
const under = (...roots: string[]) => (path: string): boolean => roots.some((folder) => path.startsWith(`${folder}/`))
const arrow = ({ from, to }: Import): string => `${from} → ${to}`

/** A file of plugins/ that makes no plugin: functions and types that hold nothing of a running application. */
const isPure = (path: string): boolean => !read(path).includes('fastify-plugin')

t.test('the walk finds the files and their imports', async (t) => {
  for (const folder of folders) t.ok(files.filter(under(folder)).length > 5, folder)
  t.ok(inside.length > 300)
  t.same(importsOf('routes/agent/index.ts').filter(({ to }) => to === 'routes/agent/lib/engine.ts').length, 1)
  t.ok(imports.some(({ typeOnly }) => typeOnly))
  t.ok(inside.every(({ to }) => read(to) !== ''), 'every import is a file')
})

t.test('schemas import typebox and each other', async (t) => {
  const wrong = imports.filter(({ from, to, external }) => from.startsWith('schemas/') &&
    (external ? to !== '@sinclair/typebox' : !under('schemas')(to)))
  t.same(wrong.map(arrow), [])
})

t.test('db imports db and schemas, and nothing of the web', async (t) => {
  const wrong = imports.filter(({ from, to, external }) => from.startsWith('db/') &&
    (external ? /fastify/.test(to) : !under('db', 'schemas')(to)))
  t.same(wrong.map(arrow), [])
})

t.test('plugins import plugins, db and schemas; the stand-ins only while running', async (t) => {
  const upwards = inside.filter(({ from, to }) => from.startsWith('plugins/') &&
    !under('plugins', 'db', 'schemas')(to))
  const wrong = upwards.filter(({ to, dynamic }) => !under('sandbox')(to) || !dynamic)
  t.same(wrong.map(arrow), [])
})

t.test('an area imports itself, plugins, db and schemas, never another area', async (t) => {
  const wrong = inside.filter(({ from, to }) => from.startsWith('routes/') &&
    !under('plugins', 'db', 'schemas', `routes/${area(from)}`)(to))
  // The area that shows the stand-in's account asks it for its name, where there is one.
    .filter(({ to, dynamic }) => !under('sandbox')(to) || !dynamic)
  t.same(wrong.map(arrow), [])
})

t.test('lib knows no edge of its area, no Fastify and no plugin but by type', async (t) => {
  const edges = inside.filter(({ from, to }) => isLib(from) && area(to) !== undefined && !isLib(to))
  t.same(edges.map(arrow), [], 'edges')
  const web = imports.filter(({ from, to, typeOnly }) => isLib(from) && /^@?fastify/.test(to) && !typeOnly)
  t.same(web.map(arrow), [], 'Fastify')
  const plugins = inside.filter(({ from, to, typeOnly }) =>
    isLib(from) && to.startsWith('plugins/') && !typeOnly && !isPure(to))
  t.same(plugins.map(arrow), [], 'plugins')
})

t.test('the stand-ins know nothing of the service', async (t) => {
  const wrong = inside.filter(({ from, to }) => from.startsWith('sandbox/') && !under('sandbox')(to))
  t.same(wrong.map(arrow), [])
})

t.test('no two files import each other, not even by way of others', async (t) => {
  const graph = new Map(files.map((file) => [file, inside.filter(({ from, typeOnly }) => from === file && !typeOnly)
    .map(({ to }) => to)]))
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  t.same(circles, [])
})

t.test('a start loads nothing that only some requests need', async (t) => {
  const loaded = new Set(['server.ts'])
  const packages = new Set<string>()
  for (const file of loaded) {
    for (const { to, external, typeOnly, dynamic } of importsOf(file)) {
      if (!typeOnly && !dynamic) (external ? packages : loaded).add(to)
    }
  }
  t.ok(loaded.size > 400 && packages.has('fastify'))
  const heavy = new RegExp('^(@anthropic-ai|@aws-sdk|@opentelemetry|@modelcontextprotocol|octokit|pg-boss|prom-client' +
    '|remark-|rehype-|retext-|unified|feed|diff|temporal-|mammoth|unpdf|turndown|vite|typescript)')
  t.same([...packages].filter((name) => heavy.test(name)), [])
  t.same([...loaded].filter((name) => name.startsWith('sandbox/')), [])
})
