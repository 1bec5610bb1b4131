import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from '../tap.js'

const parts = ['app.ts', 'server.ts', 'lib', 'plugins', 'routes', 'schemas', 'db', 'packages', 'deploy',
  'tsconfig.json', 'package.json', 'package-lock.json', 'web/setup.html', 'web/setup.css', 'web/setup.js',
  'web/setup.texts.js', 'web/sign-in.html', 'web/sign-in.js']

/** A copy of the sources without an area: its folders, the line that registers it, and those of what archives hold. */
const copyWithout = (area: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-areas-'))
  for (const part of parts) cpSync(part, join(folder, part), { recursive: true })
  for (const root of ['routes', 'schemas', 'db']) rmSync(join(folder, root, area), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const lines = readFileSync('app.ts', 'utf8').split('\n')
  const others = lines.filter((line) => !line.includes(`routes/${area}/`))
  t.equal(lines.length - others.length, 1, 'one line registers it')
  writeFileSync(join(folder, 'app.ts'), others.join('\n'))
  const cells = readFileSync('db/archived-cells.ts', 'utf8')
  const name = new RegExp(`import \\{ (\\w+) \\} from '\\./${area}/`).exec(cells)?.[1]
  t.ok(name, 'it says itself what archives hold of it')
  writeFileSync(join(folder, 'db/archived-cells.ts'),
    cells.split('\n').filter((line) => !line.includes(String(name))).join('\n'))
  const settings = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { include: string[] }
  settings.include = settings.include.filter((part) => !/^(bench|eval|test)/.test(part))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  return folder
}

/** @returns what the first answer of a server is that listens on a port of its choice */
const startIn = async (folder: string, path: string): Promise<unknown> => {
  const server = spawn(process.execPath, ['dist/server.js'],
    { cwd: folder, env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' } })
  try {
    let log = ''
    const address = await new Promise<string>((resolve, reject) => {
      server.stderr.on('data', (chunk: Buffer) => { log += chunk.toString() })
      server.stdout.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        const found = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(log)
        if (found && /listening/i.test(log)) resolve(found[0])
      })
      server.once('exit', (code) => reject(new Error(`It ended with ${code}: ${log.slice(-2_000)}`)))
    })
    return await (await fetch(`${address}${path}`)).json()
  } finally {
    server.removeAllListeners('exit')
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
  }
}

t.test('without an area and the lines that name it, everything still compiles and starts', async (t) => {
  const folder = copyWithout('pse')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const compiler = join(process.cwd(), 'node_modules', 'typescript-7', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'pipe', encoding: 'utf8' })
  // What tsc has written stands; it links the packages.
  execFileSync(process.execPath, ['deploy/transpile.mjs'], { cwd: folder, stdio: 'pipe', encoding: 'utf8' })
  t.same(await startIn(folder, '/health'), { status: 'ok' })
})
