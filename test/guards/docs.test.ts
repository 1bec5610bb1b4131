import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from '../tap.js'
import { describeConfig } from '../../plugins/config.js'
import { listSources, read } from './sources.js'

const pages = readdirSync('docs').filter((name) => name.endsWith('.md'))

t.test('docs/configuration.md lists every setting; if not: node dist/server.js configuration', async (t) => {
  t.ok(read('docs/configuration.md').includes(describeConfig()))
})

t.test('docs/README.md lists every page', async (t) => {
  const index = read('docs/README.md')
  t.same(pages.filter((page) => page !== 'README.md' && !index.includes(`](${page})`)), [])
})

t.test('docs/api.md lists the errors of any operation, and those that end a run', async (t) => {
  const page = read('docs/api.md')
  const general = [...read('schemas/errors.ts').matchAll(/defineError\(\s*'(\w+)'/g)].map(([, code]) => code)
  const engine = ['lib', 'plugins', 'routes/agent/lib'].flatMap(listSources).map(read).join('\n')
  const ends = [...engine.matchAll(/new ModelError\(\s*'(\w+)'|code: '((?:model|run)_\w+)'/g)].map(([, a, b]) => a ?? b)
  t.ok(general.length > 20 && ends.length > 8)
  t.same([...new Set([...general, ...ends])].filter((code) => !page.includes(`\`${code}\``)), [])
})

const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'eval/README.md',
  ...pages.map((name) => `docs/${name}`)]

/** @returns the heading's name in a link */
const anchorOf = (heading: string) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')
const anchorsOf = (file: string) => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

t.test('every link between the documents has a target', async (t) => {
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

t.test('every file that SECURITY.md names exists', async (t) => {
  const named = [...read('SECURITY.md').matchAll(/`([\w/-]+(?:\.test|\.deep)?\.ts|[\w/-]+\/)`/g)].map(([, path = '']) => path)
  t.ok(named.length > 30)
  t.same(named.filter((path) => !existsSync(path)), [])
})

t.test('each folder of code says what lives there, what it may import and where to start', async (t) => {
  const folders = ['plugins', 'lib', 'routes'].flatMap((root) =>
    [root, ...readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      .map(({ name }) => join(root, name))])
  t.ok(folders.length > 20 && !folders.includes('plugins/aws'))
  for (const folder of folders) {
    const text = existsSync(join(folder, 'README.md')) ? read(join(folder, 'README.md')) : ''
    t.match(text, /^# .+\n\n[\s\S]+May import: [\s\S]+Start with /, folder)
    const named = [...text.matchAll(/`([\w-]+(?:\/[\w-]+)*\.ts|[\w-]+\/(?:[\w-]+\/)*)`/g)].map(([, path = '']) => path)
    t.same(named.filter((path) => !existsSync(join(folder, path)) && !existsSync(path)), [], folder)
  }
})
