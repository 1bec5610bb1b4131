import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import { publicOrigin } from '../../../lib/http/addresses.js'
import { adminToken, asAdmin, makeEnvironment } from '../../app.js'
import { signIn } from './actors.js'

const root = process.cwd()
const linkInLog = /http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/setup#token=stw_link_[0-9A-Za-z]{36}/

type Environment = Record<string, string> & { DATA_DIR: string }

/** The environment of an operator who has no `ADMIN_TOKEN`, and so gets a link. */
const withoutToken = async (t: Test): Promise<Environment> => {
  const { ADMIN_TOKEN: _, ...environment } = await makeEnvironment(t, { SANDBOX: 'off' })
  return environment
}

/** Starts and listens as `npm start` does, and collects the log. */
const start = async (t: Test, environment: Environment, more: Record<string, string> = {}) => {
  const lines: string[] = []
  const stream = new Writable({
    write (chunk, _, done) {
      lines.push(String(chunk))
      done()
    }
  })
  const app = await build(readConfig({ ...environment, ...more }), { level: 'warn', stream })
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  // What runs once the server listens is not awaited by listen.
  const urls = async (expected: number) => {
    const found = () => lines.flatMap((line) => linkInLog.exec(line)?.[0] ?? [])
    for (let i = 0; i < 250 && found().length < expected; i++) await setTimeout(20)
    if (expected === 0) await setTimeout(300)
    return found()
  }
  return { app, urls }
}

const command = async (environment: Environment) => {
  const child = spawn(process.execPath, [join(root, 'dist', 'server.js'), 'setup-link'],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => { child.once('exit', resolve) })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, out, err }
}

t.test('A12: the first starts print one link each, and only the newest works, once', async (t) => {
  const environment = await withoutToken(t)
  const file = join(environment.DATA_DIR, 'setup-link')
  const first = await start(t, environment)
  const [old, ...others] = await first.urls(1)
  t.same(others, [])
  t.match(old, `:${(first.app.server.address() as { port: number }).port}/`)
  t.equal(readFileSync(file, 'utf8'), `${old}\n`)
  t.equal(statSync(file).mode & 0o777, 0o600)
  await first.app.close()

  const second = await start(t, environment)
  const url = (await second.urls(1))[0] ?? ''
  t.not(url, old)
  t.equal(readFileSync(file, 'utf8'), `${url}\n`)
  t.match((await signIn(second.app, old ?? '')).answer.json(), { status: 410, code: 'link_used' })
  const racers = await Promise.all([signIn(second.app, url), signIn(second.app, url)])
  t.same(racers.map(({ answer }) => answer.statusCode).sort(), [200, 410])
  const winner = racers.find(({ answer }) => answer.statusCode === 200)
  t.match(winner?.answer.json(), { user: { id: second.app.home.admin_id, role: 'admin', first_sign_in_at: /Z$/ } })
  t.notOk(existsSync(file), 'the file goes with the link')
  await second.app.close()

  const third = await start(t, environment)
  t.same([await third.urls(0), existsSync(file)], [[], false], 'an admin is there: no more links')
})

t.test('A12: with ADMIN_TOKEN no link is logged, and an admin in by another way voids the one before', async (t) => {
  const environment = await withoutToken(t)
  const first = await start(t, environment)
  const [old] = await first.urls(1)
  await first.app.close()
  const { app, urls } = await start(t, environment, { ADMIN_TOKEN: adminToken })
  t.same(await urls(0), [], 'with ADMIN_TOKEN no link is logged')
  const made = await app.inject({ method: 'POST', url: `/account/users/${app.home.admin_id}/link`, headers: asAdmin })
  t.equal((await signIn(app, made.json().url)).answer.statusCode, 200)
  t.match((await signIn(app, old ?? '')).answer.json(), { status: 410, code: 'link_used' })
})

t.test('the link is logged even where the file cannot be written', async (t) => {
  const environment = await withoutToken(t)
  mkdirSync(join(environment.DATA_DIR, 'setup-link'))
  const { app, urls } = await start(t, environment)
  const [url] = await urls(1)
  const signedIn = await signIn(app, url ?? '')
  t.equal(signedIn.answer.statusCode, 200)
})

t.test('a worker without an API prints no link', async (t) => {
  const environment = await withoutToken(t)
  const { urls } = await start(t, environment, { WORKER: 'only' })
  t.same(await urls(0), [])
})

t.test('setup-link prints a new link, also after the first sign-in', async (t) => {
  const environment = await withoutToken(t)
  const running = await start(t, environment)
  const url = (await running.urls(1))[0] ?? ''
  t.equal((await signIn(running.app, url)).answer.statusCode, 200)
  if (!process.env.TEST_DATABASE_URL) {
    const refused = await command(environment)
    t.same([refused.code, refused.out], [1, ''])
    t.equal(refused.err,
      `steward: ${environment.DATA_DIR} is in use by process ${process.pid}; stop it, or set another DATA_DIR\n`)
    await running.app.close()
  }
  const printed = await command({ ...environment, PUBLIC_URL: 'https://steward.example' })
  t.same([printed.code, printed.err], [0, ''])
  t.match(printed.out, /^https:\/\/steward\.example\/setup#token=stw_link_[0-9A-Za-z]{36}\n$/)
  t.equal(readFileSync(join(environment.DATA_DIR, 'setup-link'), 'utf8'), printed.out)
  const { app } = process.env.TEST_DATABASE_URL ? running : await start(t, environment)
  t.equal((await signIn(app, printed.out.trim())).answer.statusCode, 200)
})

t.test('the link names a host that a browser can reach', async (t) => {
  const { app } = await start(t, await makeEnvironment(t, { SANDBOX: 'off' }))
  const originOf = (environment: Record<string, string>) =>
    publicOrigin({ config: readConfig(environment), server: app.server }).replace(/:\d+$/, '')
  t.equal(originOf({}), 'http://127.0.0.1')
  t.equal(originOf({ HOST: '0.0.0.0' }), 'http://localhost')
  t.equal(originOf({ HOST: '::' }), 'http://localhost')
  t.equal(originOf({ HOST: '::1' }), 'http://[::1]')
  t.equal(originOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example/b/' }), 'https://a.example/b')
})

t.test('the page runs no script but its own and sends no referrer', async (t) => {
  const { app } = await start(t, await makeEnvironment(t, { SANDBOX: 'off' }))
  const page = await app.inject('/setup')
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store'
  })
  t.notMatch(page.body, /<script>|<style|\son\w+=|style=|https?:\/\//, 'nothing inline, nothing from outside')
  const parts = [...page.body.matchAll(/(?:src|href)="(setup\.[a-z]+)"/g)].map((match) => match[1])
  t.same(parts, ['setup.css', 'setup.js'])
  for (const part of parts) t.equal((await app.inject(`/${part}`)).statusCode, 200)
  t.match((await app.inject('/setup.js')).headers, { 'content-type': 'text/javascript; charset=utf-8' })
})
