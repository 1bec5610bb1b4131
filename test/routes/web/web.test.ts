import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildApp } from '../../app.js'

const app = await buildApp(t, { SANDBOX: 'off' })
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
