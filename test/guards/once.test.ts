import t from 'tap'
import { runsOnce } from '../once.js'
import { importsOf, listSources } from './sources.js'

const reached = new Map<string, readonly string[]>()

/** @returns what a file imports when it runs, itself or by another */
const reach = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  const own = reached.get(file) ?? importsOf(file).filter(({ typeOnly }) => !typeOnly).map(({ to }) => to)
  reached.set(file, own)
  for (const to of own) if (to.endsWith('.ts')) reach(to, found); else found.add(to)
  return found
}

const tests = listSources('test').filter((file) => file.endsWith('.test.ts'))
const once = tests.filter((file) => runsOnce(file.replace('test/', '')))

/** What makes a database, or a process that may make one. */
const makers = ['db/embedded.ts', 'app.ts', 'server.ts', 'test/app.ts', 'test/template.ts', 'node:child_process']

t.test('a test that CI runs in one of its passes opens no database, and starts no process', async (t) => {
  t.ok(once.length > 30, `${once.length} files`)
  // Guards are in one pass since they read the sources, also those that build an application to do so.
  const wrong = once.filter((file) => !file.startsWith('test/guards/')).flatMap((file) => {
    const found = reach(file)
    return makers.filter((maker) => found.has(maker)).map((maker) => `${file}: ${maker}`)
  })
  // They ask git for the last release, and compare.
  t.same(wrong.filter((one) => !/^test\/upgrade\/.*: node:child_process$/.test(one)), [])
  t.ok(reach('test/flows/restart.test.ts').has('test/app.ts'), 'an import of an import is found')
})
