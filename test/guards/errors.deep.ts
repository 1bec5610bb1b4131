import t from '../tap.js'
import { buildApp } from '../app.js'
import { listSources, read } from './sources.js'

const files = ['lib', 'plugins', 'routes', 'schemas'].flatMap(listSources)
const definition = /export const (\w+)\s*=\s*defineError\(\s*'([a-z0-9_]+)',\s*(?:'(?:[^'\\]|\\.)*'|"[^"]*"),\s*(\d{3})\s*\)/g

const defined = files.flatMap((file) => [...read(file).matchAll(definition)]
  .map(([, name = '', code = '', status]) => ({ file, name, code, status: Number(status) })))

t.test('the walk finds the definitions, all of them', async (t) => {
  const calls = files.reduce((sum, file) => sum + (read(file).match(/= defineError\(/g) ?? []).length, 0)
  t.ok(defined.length > 40)
  t.equal(defined.length, calls)
})

t.test('a code has one status over all areas', async (t) => {
  const statuses = new Map(defined.map(({ code, status }) => [code, status]))
  t.same(defined.filter(({ code, status }) => statuses.get(code) !== status), [])
})

t.test('an error that code makes is declared by some operation', async (t) => {
  const app = await buildApp(t)
  const document = JSON.stringify(app.swagger())
  // These answer what frameworks throw, wherever that may be, and what became no request of any operation.
  const frameworks = ['plugins/errors.ts', 'lib/http/problem.ts', 'lib/http/client-errors.ts']
  const code = files.filter((file) => !frameworks.includes(file)).map(read)
  const used = defined.filter(({ name }) => code.some((text) => new RegExp(`\\b${name}\\(`).test(text)))
  t.ok(used.length > 30)
  const undeclared = used.filter(({ code }) => !document.includes(`\`${code}\``))
  t.same(undeclared.map(({ code, file }) => `${code} of ${file}`), [])
})
