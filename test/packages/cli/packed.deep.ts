import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from '../../tap.js'
import { adminToken } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { commandsOf } from './command.js'

// Outside the repository: nothing of it is found from there.
const folder = mkdtempSync(join(tmpdir(), 'steward-packed-cli-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const installed = join(folder, 'elsewhere/node_modules/steward-cli')
const version = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version

/** Of an npm that asks no registry: what it needs beside the package is missing then. */
const npm = (args: string[], cwd: string) => execFileSync('npm', [...args, '--silent', '--offline', '--ignore-scripts=false',
  '--cache', join(folder, 'cache')], { cwd, stdio: 'pipe' })

t.test('the package of the command is small, and has its file, a licence and a page about it', async (t) => {
  npm(['pack', '--pack-destination', folder], 'packages/cli')
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  t.equal(file, `steward-cli-${version('package.json')}.tgz`, 'it has the version of the whole')
  t.ok(statSync(join(folder, file)).size < 200_000)
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'elsewhere/package.json'), '{"private":true}')
  npm(['install', join(folder, file), '--no-audit', '--no-fund'], join(folder, 'elsewhere'))
  t.same(readdirSync(join(folder, 'elsewhere/node_modules')).filter((name) => !name.startsWith('.')), ['steward-cli'])
  t.same(readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort(), ['LICENSE', 'README.md', 'bin',
    'bin/steward.mjs', 'dist', 'dist/command.js', 'dist/openapi-fetch.LICENSE', 'package.json'])
  t.ok(existsSync(join(folder, 'elsewhere/node_modules/.bin/steward')))
})

t.test('it runs by itself, and says that the server is in another package', async (t) => {
  const { url } = await startChatApp(t)
  const { run } = commandsOf(t, { STEWARD_SERVER: url, STEWARD_TOKEN: adminToken },
    join(folder, 'elsewhere/node_modules/.bin/steward'))
  t.same(await run(['--version']), { code: 0, out: `${version('package.json')}\n`, err: '' })
  t.same(await run(['whoami', '--json', 'via,role']), { code: 0, out: '{"via":"token","role":"admin"}\n', err: '' })
  t.match(await run(['services', '--json', 'name']), { code: 0, out: '{"name":"web"}\n' })
  t.match(await run(['serve']), { code: 2, err: /^steward: This package has no server: install the package steward/ })
  t.notMatch((await run([])).out, 'Of a server:')
})
