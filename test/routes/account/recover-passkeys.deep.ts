import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import { asAdmin, makeEnvironment } from '../../app.js'
import { makePasskey, passkeySite } from '../../passkeys.js'
import { makePerson, signIn } from './actors.js'

const root = process.cwd()
const environment = await makeEnvironment(t, { ...passkeySite, SANDBOX: 'off' })

const start = async () => {
  const app = await build(readConfig(environment))
  t.teardown(() => app.close())
  await app.ready()
  return app
}

const recover = async (...args: string[]) => {
  const child = spawn(process.execPath, [join(root, 'dist', 'server.js'), 'recover-passkeys', ...args],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => { child.once('exit', resolve) })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, out, err }
}

t.test('whoever lost every passkey gets a new start by a command, and the record says so', async (t) => {
  const first = await start()
  const eve = await makePerson(first, 'Eve', 'admin')
  await makePasskey(first, eve.headers)
  const group = { method: 'POST' as const, url: '/account/groups', payload: { name: 'On call' } }
  t.match((await first.inject({ ...group, headers: eve.headers })).json(), { code: 'operation_signature_required' })
  const home = first.home.workspace_id
  const { workspace: other } = (await first.inject({
    method: 'POST',
    url: '/account/workspaces',
    headers: asAdmin,
    payload: { name: 'Other', hosts: ['other.example'], admin: { name: 'Ola', email: 'ola@example.com' } }
  })).json()
  await first.close()

  const wrong = await recover('eve')
  const usage = 'steward: usage: recover-passkeys [USER_ID] [--workspace WORKSPACE_ID]\n'
  t.same([wrong.code, wrong.out, wrong.err], [1, '', usage])
  const id = '01900000-0000-7000-8000-000000000001'
  t.match(await recover(id), {
    code: 1, err: `steward: There is no active person ${id} in the workspace ${home}\n`
  })
  t.match(await recover('--workspace', id), { code: 1, err: `steward: There is no workspace ${id}\n` })
  t.match(await recover(eve.id, '--workspace', other.id),
    { code: 1, err: `steward: There is no active person ${eve.id} in the workspace ${other.id}\n` })
  const elsewhere = await recover('--workspace', other.id)
  t.match(elsewhere, { code: 0, out: /^removed: 0\nhttps:\/\/other\.example\/setup#token=stw_link_\w+\n$/ })
  const done = await recover(eve.id)
  t.same([done.code, done.err], [0, ''])
  t.match(done.out, /^removed: 1\nhttps:\/\/steward\.example\/setup#token=stw_link_\w+\n$/)

  const app = await start()
  t.equal((await app.inject({ url: '/account/me', headers: eve.headers })).statusCode, 401, 'older sessions ended')
  const url = done.out.split('\n')[1] ?? ''
  const { headers } = await signIn(app, url)
  t.equal((await signIn(app, url)).answer.statusCode, 410, 'once')
  const [, there = ''] = elsewhere.out.split('\n')
  const token = new URL(there).hash.replace('#token=', '')
  t.equal((await app.inject({
    method: 'POST',
    url: '/account/sign-in',
    headers: { host: 'other.example', 'sec-fetch-site': 'same-origin' },
    payload: { token }
  })).statusCode, 200, 'the first admin of the other workspace')
  t.equal((await app.inject({ ...group, headers })).statusCode, 201)
  const { payload } = await app.inject({ url: '/account/audit/export', headers: asAdmin })
  const entries = payload.trim().split('\n').map((line) => JSON.parse(line))
  t.match(entries.find(({ operation }) => operation === 'recoverPasskeys'),
    { user_id: null, via: 'system', target: eve.id, outcome: 'succeeded', body: { passkeys: [/^[\w-]{43}$/] } })
})
