import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from '../../tap.js'
import { workspace } from '../../app.js'

const app = await workspace(t)
const assets = join(process.cwd(), 'dist', 'web', 'assets')
const page = await app.inject('/')

t.test('the page takes everything from here, nothing inline, and says so', async (t) => {
  t.equal(page.statusCode, 200)
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff'
  })
  t.notMatch(page.headers['content-security-policy'], /unsafe|\*|https?:|data:/)
  t.notMatch(page.body, /<script>|<style|\son\w+=|style=|https?:\/\//)
})

t.test('what the page names is served, compressed, and may be kept for ever', async (t) => {
  const named = [...page.body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
  t.ok(named.length > 2)
  for (const name of named) {
    const answer = await app.inject({ url: `/${name}`, headers: { 'accept-encoding': 'br' } })
    t.match(answer.headers, { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }, name)
    t.equal(answer.headers['content-encoding'], 'br')
  }
})

t.test('nothing but the built files is served', async (t) => {
  for (const url of ['/assets/nothing.js', '/assets/../index.html', '/assets/..%2f..%2fserver.js', '/index.html']) {
    t.match((await app.inject(url)).json(), { status: 404, code: 'not_found' }, url)
  }
})

t.test('the guide has a page for each document, whose links lead to pages and headings that exist', async (t) => {
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md')
  t.ok(documents.length > 20)
  const names = ['', 'security', 'changelog', ...documents.map((name) => name.slice(0, -'.md'.length))]
  const pages = new Map<string, string>()
  for (const name of names) {
    const answer = await app.inject(`/guide/${name}`)
    t.match(answer.headers, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }, name)
    t.notMatch(answer.body, /<script>|<style|\son\w+=|style=|src="https?:/, name)
    t.notMatch(answer.body, '&lt;picture', name)
    pages.set(name, answer.body)
  }
  const broken: string[] = []
  for (const [name, body] of pages) {
    for (const [, to = ''] of body.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
      if (/^https:|^\.\.\//.test(to)) continue
      const [path = '', anchor] = to.split('#')
      const file = path.replace(/^\.\/$/, '')
      const target = to.startsWith('#') ? body : pages.get(file)
      if (anchor !== undefined && !target?.includes(`id="${anchor}"`)) broken.push(`${name}: ${to}`)
      if (target === undefined && (await app.inject(`/guide/${file}`)).statusCode !== 200) broken.push(`${name}: ${to}`)
    }
  }
  t.same(broken, [])
  t.same((await app.inject('/guide')).headers.location, 'guide/')
  t.match((await app.inject('/guide/none')).json(), { status: 404, code: 'not_found' })
})

t.test('what pages of the client name of the guide is there', async (t) => {
  const sources = readdirSync('web/pages', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
  const named = sources.flatMap((name) => {
    const text = readFileSync(join('web/pages', name), 'utf8')
    const map = /const guides[^{]+\{([^}]+)\}/.exec(text)?.[1] ?? ''
    return [...text.matchAll(/ guide='([^']+)'/g), ...map.matchAll(/: '([^']+)'/g)].map(([, to = '']) => to)
  })
  t.ok(named.length > 25)
  for (const to of new Set(named)) {
    const [name = '', anchor] = to.split('#')
    const { statusCode, body } = await app.inject(`/guide/${name}`)
    t.equal(statusCode, 200, to)
    if (anchor !== undefined) t.match(body, `id="${anchor}"`, to)
  }
})

t.test('the chat page costs less than 80 KB of script over the wire', async (t) => {
  const all = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const imports = (name: string): string[] =>
    [...readFileSync(join(assets, name), 'utf8').matchAll(/from\s*["']\.\/([^"']+\.js)["']/g)].map((one) => one[1] ?? '')
  const needed = new Set<string>()
  const walk = (name: string) => {
    if (needed.has(name)) return
    needed.add(name)
    imports(name).forEach(walk)
  }
  all.filter((name) => /^(index|chat)-/.test(name)).forEach(walk)
  t.ok(needed.size >= 2)
  const bytes = [...needed].reduce((sum, name) => sum + readFileSync(join(assets, `${name}.br`)).length, 0)
  t.ok(bytes > 20_000 && bytes < 80_000, `${bytes} bytes`)
})
