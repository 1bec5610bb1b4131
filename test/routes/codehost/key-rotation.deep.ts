import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import { decryptToken } from '../../../lib/codehost/encrypted-tokens.js'
import { makeEnvironment, type App } from '../../app.js'
import { Browser, startHost } from './browser.js'

const { environment: named, control } = await startHost(t)
await control('POST', '/settings', { expiring_tokens: true, token_seconds: 3600 })

const command = async (environment: Record<string, string>, ...names: string[]) => {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'server.js'), ...names],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => { child.once('exit', resolve) })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, out, err }
}

t.test('F48: a new key takes over what the old one encrypted; without either nothing starts', async (t) => {
  const environment = await makeEnvironment(t, { ...named, CODEHOST_SIGN_IN: 'larkspur=member' })
  const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]
  const withKey = async (SECRET_KEY: string, use: (app: App) => Promise<void>) => {
    const app = await build(readConfig({ ...environment, SECRET_KEY }))
    try {
      await use(app)
    } finally {
      await app.close()
    }
  }
  const encrypted = (app: App) => app.db.selectFrom('codehost_identity').select(['id', 'access_token', 'refresh_token'])
    .orderBy('login').execute()
  let cookie = ''
  let plain = ''
  await withKey(first, async (app) => {
    const browser = new Browser(app)
    await browser.signIn('bruno')
    cookie = browser.cookie
    const [row] = await encrypted(app)
    if (!row) throw new Error('no row')
    plain = decryptToken(app.secrets, row, 'access_token')
    t.match(plain, /^ghu_/)
    t.notOk(JSON.stringify(Object.values(row).map(String)).includes(plain), 'F45: no token lies there in the clear')
    const moved = { ...row, id: '00000000-0000-7000-8000-000000000000' }
    t.throws(() => decryptToken(app.secrets, moved, 'access_token'), 'a ciphertext does not move to a row')
  })
  await withKey(`${second},${first}`, async (app) => {
    const [row] = await encrypted(app)
    if (!row?.access_token || !row.refresh_token) throw new Error('no row')
    t.same([app.secrets.ageOf(row.access_token), app.secrets.ageOf(row.refresh_token)], ['current', 'current'])
    t.equal(decryptToken(app.secrets, row, 'access_token'), plain)
  })
  const connection = (app: App) => app.inject({ url: '/codehost/connection', headers: { cookie } })
  await withKey(second, async (app) => {
    t.match((await connection(app)).json(), { login: 'bruno' })
    await new Browser(app).signIn('octavia')
  })
  const lost = { ...environment, SECRET_KEY: third }
  const refused = await command(lost)
  t.same([refused.code, refused.err], [1, 'steward: SECRET_KEY: the key is missing that encrypted connections to the ' +
    'code host (2); add it after a comma, or give them up: node dist/server.js forget-secrets\n'])
  t.same(await command(lost, 'forget-secrets'),
    { code: 0, out: 'forgotten: connections to the code host (2)\n', err: '' })
  await withKey(third, async (app) => {
    t.match((await connection(app)).json(), { code: 'codehost_reauth_required' })
  })
})
