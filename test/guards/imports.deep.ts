import t from '../tap.js'
import { isBuiltin } from 'node:module'
import { importsOf, listSources, packages, read, type Import } from './sources.js'

const folders = ['schemas', 'db', 'lib', 'plugins', 'routes', ...packages.map((name) => `packages/${name}/src`)]
const files = folders.flatMap(listSources)
const imports = files.flatMap(importsOf)
const inside = imports.filter(({ external }) => !external)

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const area = (path: string): string | undefined => /^routes\/([^/]+)\//.exec(path)?.[1]
const isLib = (path: string): boolean => /^routes\/[^/]+\/lib\//.test(path)
const under = (...roots: string[]) => (path: string): boolean => roots.some((folder) => path.startsWith(`${folder}/`))
const arrow = ({ from, to }: Import): string => `${from} → ${to}`

/** Types of openapi.yaml, which `npm run typecheck` makes. */
const made = 'packages/client/src/openapi.ts'

t.test('the walk finds the files and their imports', async (t) => {
  for (const folder of folders) t.ok(files.filter(under(folder)).length > 5, folder)
  t.ok(inside.length > 300)
  t.same(importsOf('routes/agent/index.ts').filter(({ to }) => to === 'routes/agent/lib/loop/engine.ts').length, 1)
  t.ok(imports.some(({ typeOnly }) => typeOnly))
  t.ok(inside.every(({ to }) => to === made || read(to) !== ''), 'every import is a file')
})

/** @returns each group of the service's files that import each other, by Tarjan's search, types included */
const findCircles = (): string[][] => {
  const next = new Map(files.map((file) => [file, inside.filter(({ from }) => from === file).map(({ to }) => to)]))
  const [order, low] = [new Map<string, number>(), new Map<string, number>()]
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    let least = order.size - 1
    path.push(file)
    for (const other of next.get(file) ?? []) {
      if (!order.has(other)) least = Math.min(least, visit(other))
      else if (path.includes(other)) least = Math.min(least, low.get(other) ?? order.get(other) ?? 0)
    }
    low.set(file, least)
    if (least === order.get(file)) {
      const group = path.splice(path.indexOf(file))
      if (group.length > 1) circles.push(group.sort())
    }
    return least
  }
  for (const file of files) if (!file.startsWith('packages/') && !order.has(file)) visit(file)
  return circles
}

t.test('no files of the service import each other in a circle, not even for their types', async (t) => {
  t.same(findCircles(), [])
})

t.test('schemas import typebox, each other and those of the two engines', async (t) => {
  const known = ['@sinclair/typebox', 'steward-spec-engine/schemas', 'steward-prose-engine/schemas']
  const wrong = imports.filter(({ from, to, external }) => from.startsWith('schemas/') &&
    (external ? !known.includes(to) : !under('schemas')(to)))
  t.same(wrong.map(arrow), [])
})

t.test('db imports db and schemas, and nothing of the web', async (t) => {
  const wrong = imports.filter(({ from, to, external }) => from.startsWith('db/') &&
    (external ? /fastify/.test(to) : !under('db', 'schemas')(to)))
  t.same(wrong.map(arrow), [])
})

t.test('lib imports lib, db and schemas, and of Fastify and its plugins only types', async (t) => {
  const upwards = inside.filter(({ from, to, typeOnly }) => from.startsWith('lib/') &&
    !under('lib', 'db', 'schemas')(to) && !(under('plugins')(to) && typeOnly))
  t.same(upwards.map(arrow), [])
  // @fastify/oauth2 speaks OAuth as a plugin of an application: each code host has a bare one for it.
  const web = imports.filter(({ from, to, external, typeOnly }) => from.startsWith('lib/') && external &&
    /^@?fastify/.test(to) && !typeOnly && from !== 'lib/codehost/oauth-client.ts')
  t.same(web.map(arrow), [])
})

t.test('plugins import plugins, lib, db and schemas', async (t) => {
  const wrong = inside.filter(({ from, to }) => from.startsWith('plugins/') &&
    !under('plugins', 'lib', 'db', 'schemas')(to))
  t.same(wrong.map(arrow), [])
})

t.test('each file of plugins/ is a plugin', async (t) => {
  const plugins = listSources('plugins')
  t.same(plugins.filter((file) => !/^plugins\/[a-z-]+\.ts$/.test(file)), [], 'there are no folders')
  t.same(plugins.filter((file) => !/^export default fp[(<]/m.test(read(file))), [])
})

t.test('an area imports itself, lib, db, schemas and the types of plugins, never another area', async (t) => {
  // A command starts without an application: it opens the database by itself.
  const isCommand = (path: string) => path.endsWith('-command.ts')
  const wrong = inside.filter(({ from, to, typeOnly }) => from.startsWith('routes/') && !isCommand(from) &&
    !under('lib', 'db', 'schemas', `routes/${area(from)}`)(to) && !(under('plugins')(to) && typeOnly))
  t.same(wrong.map(arrow), [])
})

t.test('the lib of an area knows no edge of it, and no Fastify', async (t) => {
  const edges = inside.filter(({ from, to }) => isLib(from) && area(to) !== undefined && !isLib(to))
  t.same(edges.map(arrow), [], 'edges')
  const web = imports.filter(({ from, to, typeOnly }) => isLib(from) && /^@?fastify/.test(to) && !typeOnly)
  t.same(web.map(arrow), [], 'Fastify')
})

/** An area's queries that another area asks itself, with the reason. */
const crossAreaImports: Record<string, string> = {
  'routes/codehost/lib/accounts/sign-in.ts → db/account/users.ts': 'makes the person, and signs in, in one transaction',
  'routes/codehost/lib/accounts/sign-in.ts → db/account/workspace.ts': 'the same: nobody else changes who is admin meanwhile',
  'routes/codehost/lib/accounts/connection.ts → db/account/users.ts': 'the person and their account are made at once',
  'routes/agent/lib/plans/judge-plan.ts → db/account/passkeys.ts': 'whether the person has a key decides what is asked',
  'routes/cloud/lib/accounts/change-account.ts → db/deployments/apps.ts': 'deleted apps go with the account that they name',
  'routes/cloud/lib/accounts/change-account.ts → db/infrastructure/service-deployments.ts': 'a live one needs its account'
}

t.test('the queries of an area are asked by that area, plugins and lib, never by another area', async (t) => {
  const areaOf = (path: string): string | undefined =>
    /^(?:routes|db)\/(?!(?:migrations|durable)\/)([^/]+)\//.exec(path)?.[1]
  const foreign = inside.filter(({ from, to }) => under('db')(to) && areaOf(to) !== undefined &&
    areaOf(from) !== undefined && areaOf(from) !== areaOf(to)).map(arrow)
  t.same([...new Set(foreign)].sort(), Object.keys(crossAreaImports).sort())
})

t.test('the service knows the sandbox by its addresses: one plugin starts it, and it may be missing', async (t) => {
  const known = imports.filter(({ from, to }) => !from.startsWith('packages/') && /^steward-sandbox\b/.test(to))
  t.same(known.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic).map(arrow), [])
  t.same([...new Set(known.map(({ from }) => from))], ['plugins/sandbox.ts'])
})

t.test('a package imports itself and what its own package.json names, in one version for all', async (t) => {
  const manifestOf = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest
  const versions = new Map<string, string>()
  for (const name of packages) {
    const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = manifestOf(`packages/${name}/`)
    // Whoever packs one file of itself takes in packages of ours, which no registry has.
    const packed = Object.entries(devDependencies).filter(([one]) => one.startsWith('steward-'))
    const own = { ...dependencies, ...optionalDependencies, ...Object.fromEntries(packed) }
    const folder = `packages/${name}/src`
    const all = listSources(folder).flatMap(importsOf)
    const foreign = all.filter(({ to, external }) => !external && !under(folder)(to)).map(arrow)
    t.same(foreign, [], `${name}: the files of others`)
    const named = new Set(all.filter(({ to, external, typeOnly }) => external && !isBuiltin(to) && !typeOnly)
      .map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to))
    t.same([...named].filter((one) => !(one in own)), [], `${name}: packages that it does not name`)
    t.match(read(`packages/${name}/README.md`), `# steward-${name}`)
    for (const [one, version] of Object.entries(own)) {
      t.match(version, /^\d+\.\d+\.\d+$/, `${name}: ${one}`)
      t.equal(versions.get(one) ?? version, version, `${one} of ${name}`)
      versions.set(one, version)
    }
  }
  const { dependencies = {} } = manifestOf('')
  const other = Object.entries(dependencies).filter(([one, version]) => (versions.get(one) ?? version) !== version)
  t.same(other, [], 'the same as the service\'s')
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

/** @returns the module that the name of a package of ours means; undefined = it is another's */
const entryOf = (name: string): string | undefined => {
  const [, own, entry] = /^steward-([\w-]+)(\/.+)?$/.exec(name) ?? []
  return own === undefined ? undefined : `packages/${own}/src${entry ?? ''}/index.ts`
}

t.test('a start loads nothing that only some requests need', async (t) => {
  const loaded = new Set(['server.ts'])
  const others = new Set<string>()
  for (const file of loaded) {
    for (const { to, external, typeOnly, dynamic } of importsOf(file)) {
      // app.ts loads the areas as it registers them.
      if (typeOnly || (dynamic && file !== 'app.ts')) continue
      const own = entryOf(to)
      if (external && own === undefined) others.add(to); else loaded.add(own ?? to)
    }
  }
  t.ok(loaded.size > 400 && others.has('fastify'))
  const heavy = new RegExp('^(@anthropic-ai|@aws-sdk|@opentelemetry|@modelcontextprotocol|octokit|pg-boss|prom-client' +
    '|oidc-provider|openid-client|jose|remark-|rehype-' +
    '|retext-|unified|feed|diff|temporal-|mammoth|unpdf|turndown|vite|typescript)')
  t.same([...others].filter((name) => heavy.test(name)), [])
  t.same([...loaded].filter((name) => name.startsWith('packages/sandbox/')), [])
})

t.test('the way to the Messages API loads nothing of Bedrock and Vertex', async (t) => {
  const loaded = new Set(['lib/llm/load-provider.ts', 'lib/llm/client.ts', 'plugins/llm.ts'])
  const packages = new Set<string>()
  for (const file of loaded) {
    for (const { to, external, typeOnly, dynamic } of importsOf(file)) {
      if (!typeOnly && !dynamic) (external ? packages : loaded).add(to)
    }
  }
  t.ok(packages.has('@anthropic-ai/sdk'))
  t.same([...packages].filter((name) => /^(@anthropic-ai\/(bedrock|vertex)|@aws-sdk|@smithy|google-auth)/.test(name)), [])
  t.same([...loaded].filter((name) => name.startsWith('lib/llm/clouds/')), [])
})
