import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { describeConfig } from '../../plugins/config-table.js'
import { Environment } from '../../plugins/config.js'
import { listSources, read } from './sources.js'

t.test('docs/operating.md lists all that can be set; if not: node dist/server.js configuration', async (t) => {
  t.ok(read('docs/operating.md').includes(describeConfig()))
})

t.test('the README names every variable that people set', async (t) => {
  const readme = read('README.md')
  const names = Object.keys(Environment.properties).filter((name) => name !== 'FAULT')
  t.same(names.filter((name) => !readme.includes(`\`${name}\``)), [])
})

t.test('docs/api.md tells the errors of any operation, and those that end a run', async (t) => {
  const told = read('docs/api.md')
  const general = [...read('schemas/errors.ts').matchAll(/defineError\(\s*'(\w+)'/g)].map(([, code]) => code)
  const engine = [...listSources('plugins'), ...listSources('routes/agent/lib')].map(read).join('\n')
  const ends = [...engine.matchAll(/new ModelError\(\s*'(\w+)'|code: '((?:model|run)_\w+)'/g)].map(([, a, b]) => a ?? b)
  t.ok(general.length > 20 && ends.length > 8)
  t.same([...new Set([...general, ...ends])].filter((code) => !told.includes(`\`${code}\``)), [])
})

const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md',
  ...readdirSync('docs').filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]

/** @returns the heading's name in a link */
const anchorOf = (heading: string) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')
const anchorsOf = (file: string) => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

t.test('links between the documents lead somewhere', async (t) => {
  const links = documents.flatMap((from) => [...read(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to).filter((to) => !/^https?:/.test(to)).map((to) => ({ from, to })))
  t.ok(links.length > 20)
  const broken = links.filter(({ from, to }) => {
    const [path = '', anchor] = to.split('#')
    const file = path === '' ? from : join(dirname(from), path)
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
  t.same(broken.map(({ from, to }) => `${from} → ${to}`), [])
})

t.test('what SECURITY.md names is there', async (t) => {
  const named = [...read('SECURITY.md').matchAll(/`([\w/-]+(?:\.test)?\.ts|[\w/-]+\/)`/g)].map(([, path = '']) => path)
  t.ok(named.length > 30)
  t.same(named.filter((path) => !existsSync(path)), [])
})
