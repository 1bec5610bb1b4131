import ts from 'typescript'
import t from '../tap.js'
import { listSources, packages, read } from './sources.js'

const folders = ['schemas', 'db', 'lib', 'plugins', 'routes', 'bench', 'eval',
  ...packages.map((name) => `packages/${name}/src`)]
const code = ['app.ts', 'server.ts', ...folders.flatMap(listSources)]
const tests = ['test', 'packages'].flatMap(listSources).filter((file) => /^(packages\/[^/]+\/)?test\//.test(file))
const served = code.filter((file) => !/^(bench|eval)\//.test(file))

const matching = (files: string[], pattern: RegExp): string[] => files.filter((file) => pattern.test(read(file)))

/** @returns the lines at which the file says that something is of type any */
const anys = (file: string): string[] => {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest)
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}`)
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return found
}

t.test('the walk finds the files', async (t) => {
  t.ok(code.length > 200)
  t.ok(tests.filter((file) => file.endsWith('.test.ts')).length > 20)
})

t.test('only the configuration is given the environment, and the command for the terminal', async (t) => {
  t.same(matching(served, /process\.env\b/), ['server.ts', 'packages/cli/src/index.ts'])
})

t.test('no test is left out, and none stands alone', async (t) => {
  t.same(matching(tests, /\bt\.(only|skip|todo)\(|\btest\([^)]*\{ *(only|skip|todo):/), [])
})

t.test('bodies come as bytes: in a string, U+FFFD would stand for what is not UTF-8', async (t) => {
  const files = served.filter((file) => !file.startsWith('packages/sandbox/'))
  t.same(matching(files, /parseAs: 'string'/), [])
  t.same(matching(files, /\bisUtf8\b/), ['lib/http/text.ts'])
})

t.test('nothing is of type any, and no complaint of the compiler is silenced', async (t) => {
  t.same([...code, ...tests].flatMap(anys), [])
  t.same(matching([...code, ...tests], /\/\/ @ts-(ignore|nocheck)/), [])
})

t.test('nothing prints but the start and its commands', async (t) => {
  const printers = matching(served, /\bconsole\.(log|error|warn|info|debug|trace|dir)\(|process\.std(out|err)\.write/)
  t.same(printers, ['server.ts', 'lib/record/verify-file.ts', 'lib/record/verify-script.ts',
    'routes/account/forget-command.ts', 'routes/account/recover-command.ts', 'routes/account/setup-command.ts'])
})

t.test('no two schemas have one name: the document would show only one of them', async (t) => {
  const named = listSources('schemas')
    .flatMap((file) => [...read(file).matchAll(/\$id: '(\w+)'/g)].map(([, name = '']) => name))
  t.ok(named.length > 100)
  t.same(named.filter((name, index) => named.indexOf(name) !== index), [])
})
