import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from '../tap.js'
import ts from 'typescript'
import { buildApp } from '../app.js'
import { mayHoldSecret } from '../../lib/security/redaction.js'
import { slowTextOf, type Expression } from './growth.js'
import { listSources, read } from './sources.js'

// Emulators of other people's servers answer tests and trials, and read no stranger's text.
const files = ['app.ts', 'server.ts', ...['db', 'lib', 'packages', 'plugins', 'routes', 'schemas'].flatMap(listSources)]
  .filter((file) => !file.startsWith('packages/sandbox/'))

/** Expressions by source and flags, with the files that contain them. */
const found = new Map<string, Expression & { origins: Set<string> }>()

const add = (source: string, flags: string, origin: string) => {
  const key = `/${source}/${flags}`
  const entry = found.get(key) ?? { source, flags, origins: new Set() }
  entry.origins.add(origin)
  found.set(key, entry)
}

/** Files in which expressions are put together, and how often. */
const constructing = new Map<string, number>()

/** What the functions of a file put together, which run later than its import: the longest and the shortest of them. */
const inFunctions: Record<string, Expression[]> = {
  // The closing fence of a block of code, from the fence that opens it: its sign, and how many.
  'routes/pse/lib/inputs/drop-hidden.ts': [
    { source: '^ {0,3}`{3,}[ \\t]*$', flags: 'gm' }, { source: '^ {0,3}~{40,}[ \\t]*$', flags: 'gm' }
  ],
  // An id is capitals and digits.
  'packages/spec-engine/src/export/sarif.ts': [{ source: '^(?:#+ |- \\*{0,2})FR-001\\b', flags: '' }],
  // The words of a language, which stand in the file.
  'packages/spec-engine/src/engine/words-that-demand.ts': [
    { source: '(?<![\\p{L}\\p{N}])(?:(must)|(shall)|(is required to))(?![\\p{L}\\p{N}])', flags: 'giu' }
  ],
  // For mayHoldSecret, of which llm-ask.ts and redact.ts have one each.
  'lib/security/redaction.ts': [mayHoldSecret(), mayHoldSecret('\\0')]
}

const visit = (file: string, tree: ts.SourceFile) => {
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node.text.slice(1, end), node.text.slice(end + 1), file)
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp') {
      constructing.set(file, (constructing.get(file) ?? 0) + 1)
    }
    ts.forEachChild(node, walk)
  }
  walk(tree)
}

for (const file of files) visit(file, ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))

/** Imports a module and notes the expressions that it puts together on the way. */
const watchImport = async (file: string): Promise<number> => {
  const module = pathToFileURL(join(process.cwd(), 'dist', file.replace(/\.ts$/, '.js')))
  const Original = globalThis.RegExp
  let count = 0
  const note = ([source, flags]: [string | RegExp, string?]) => {
    if (!new Error().stack?.includes(`/${file.replace(/ts$/, '')}`)) return
    count++
    const made = new Original(source, flags)
    add(made.source, made.flags, file)
  }
  globalThis.RegExp = new Proxy(Original, {
    construct (target, args: [string | RegExp, string?]) {
      note(args)
      return Reflect.construct(target, args)
    }
  })
  try {
    // Once more, beside what the tests have loaded: its first lines run again.
    await import(`${module.href}?expressions`)
  } finally {
    globalThis.RegExp = Original
  }
  return count
}

t.test('every expression that is put together is known: at the import, or from the list above', async (t) => {
  for (const [file, count] of constructing) {
    const listed = inFunctions[file]
    if (listed) for (const { source, flags } of listed) add(source, flags, file)
    else t.ok(await watchImport(file) >= count, `${file}: list what it puts together in functions`)
  }
  t.same(Object.keys(inFunctions).filter((file) => !constructing.has(file)), [], 'no file is listed in vain')
})

const addPatterns = (value: unknown): void => {
  if (value === null || typeof value !== 'object') return
  for (const [name, child] of Object.entries(value)) {
    if (name === 'pattern' && typeof child === 'string') add(child, 'u', 'a schema')
    addPatterns(child)
  }
}

t.test('every pattern of a schema is known', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  const before = found.size
  addPatterns(app.swagger())
  t.ok(found.size > before + 20, `${found.size - before} patterns`)
})

t.test('what is quadratic or exponential is found', async (t) => {
  const known = [
    '\\s+$', '(a+)+$', '^(.*?),(.*?),(.*)x$', '[ \\t]+#+[ \\t]*$', '\\[[^\\]]*\\]', '\\beyJ[\\w-]{10,}\\.x'
  ]
  for (const source of known) t.ok(slowTextOf({ source, flags: '' }), source)
  for (const source of ['(?<!\\s)\\s+$', '^a+$', 'x[^x]*y']) t.notOk(slowTextOf({ source, flags: '' }), source)
})

t.test('S4: an expression takes time in proportion to the text, whatever the text', async (t) => {
  t.ok(found.size > 450, `${found.size} expressions`)
  for (const { source, flags, origins } of found.values()) {
    const slow = slowTextOf({ source, flags })
    if (slow) t.fail(`/${source}/${flags} in ${[...origins].join(', ')}`, { slow })
  }
})
