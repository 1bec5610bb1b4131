import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from '../tap.js'
import ts from 'typescript'
import { adminToken } from '../app.js'
import { scripted, startChatApp } from '../chat.js'
import { say, serviceId, timesScaled, wantsToScale } from '../flows/asking.js'

interface LastEvent { type: string, status?: string }
type Decide = (question: { summary: string }) => Promise<boolean>
type Chat = (url: string, token: string, message: string, decide: Decide) => Promise<LastEvent | undefined>

const steward = await startChatApp(t)
const { app, anthropic, url } = steward
const web = await serviceId(app, 'web')

const document = join(process.cwd(), 'openapi.yaml')
mkdirSync('dist/clients', { recursive: true })
// Below the repository, so that what is generated finds the packages it imports.
const folder = mkdtempSync(join(process.cwd(), 'dist/clients/made-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
cpSync('examples/clients', folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

const generators: [name: string, command: string, ...args: string[]][] = [
  ['openapi-fetch', 'openapi-typescript', document, '-o', 'steward/openapi-fetch.ts'],
  ['hey-api', 'openapi-ts', '-i', document, '-o', 'steward/hey-api', '-c', '@hey-api/client-fetch'],
  ['swagger-typescript-api', 'swagger-typescript-api', 'generate', '-p', document, '-o', 'steward', '-n',
    'swagger-typescript-api.ts'],
  ['orval', 'orval', '--config', 'orval.config.mjs']
]

// The generators are the example's packages, not ours: a tenth of all that would have to be installed.
const bins = join(process.cwd(), 'examples/clients/node_modules/.bin')
const skip = !existsSync(bins) && 'needs npm ci --prefix examples/clients'

const compile = (): string[] => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: []
  }
  const program = ts.createProgram(generators.map(([name]) => join(folder, `${name}.ts`)), options)
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText, file }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

t.test('four generators make clients of openapi.yaml, without a warning or an edit', { skip }, async (t) => {
  for (const [name, command, ...args] of generators) {
    const env = { ...process.env, OPENAPI: document }
    const { stdout, stderr } = await promisify(execFile)(join(bins, command), args, { cwd: folder, env })
    t.notMatch(stdout + stderr, /warn|⚠|deprecat|error/i, name)
  }
})

t.test('they type-check, with the examples that use them', { skip }, async (t) => {
  t.same(compile(), [])
})

t.test('the rules that linters have for every OpenAPI document find no error', { skip }, async (t) => {
  const rules = join(process.cwd(), 'examples/clients/spectral.yaml')
  const args = ['lint', document, '-r', rules, '--fail-severity=warn', '-f', 'json']
  const { stdout } = await promisify(execFile)(join(bins, 'spectral'), args)
    .catch((error: { stdout: string }) => error)
  t.match(stdout, /^No results|^\[\]/)
})

t.test('each runs a chat with an approval', { skip }, async (t) => {
  for (const [i, [name]] of generators.entries()) {
    const { chat } = await import(pathToFileURL(join(folder, `${name}.js`)).href) as { chat: Chat }
    const count = 4 + i
    const asked: string[] = []
    const message = scripted(anthropic, [wantsToScale([web, count]), say('Done.')])
    const last = await chat(url, adminToken, message, async ({ summary }) => {
      asked.push(summary)
      return true
    })
    t.match(asked, [new RegExp(`^Scale service web .* to ${count}$`)], name)
    t.match(last, { type: 'done', status: 'completed', final: true }, name)
    t.equal(await timesScaled(steward, web, count), 1, name)
  }
})

t.test('the chat for the terminal asks, and does what is answered', async (t) => {
  const message = scripted(anthropic, [wantsToScale([web, 9]), say('That is all.')])
  const child = spawn(process.execPath, ['examples/chat.mjs', url], { env: { STEWARD_TOKEN: adminToken } })
  t.teardown(() => child.kill())
  let shown = ''
  const until = (text: RegExp) => new Promise<void>((resolve, reject) => {
    const look = () => { if (text.test(shown)) resolve() }
    child.stdout.on('data', look)
    child.once('exit', () => reject(new Error(shown)))
    look()
  })
  child.stdout.on('data', (piece: Buffer) => { shown += piece.toString() })
  child.stderr.on('data', (piece: Buffer) => { shown += piece.toString() })
  await until(/> $/)
  child.stdin.write(`${message}\n`)
  await until(/\? Scale service web .* to 9 \(yes\/no\) $/)
  child.stdin.write('yes\n')
  await until(/That is all\.\s*> $/)
  t.match(shown, /\[scaleService: running\]/)
  t.equal(await timesScaled(steward, web, 9), 1)
})

t.test('the page is served with Steward behind it', async (t) => {
  const child = spawn(process.execPath, ['examples/page.mjs', url], { env: { PORT: '0' } })
  t.teardown(() => child.kill())
  const [printed] = await once(child.stdout, 'data') as [Buffer]
  const page = printed.toString().trim()
  t.equal(await (await fetch(page)).text(), readFileSync('examples/chat.html', 'utf8'))
  const message = scripted(anthropic, [say('Hello from behind.')])
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ message })
  const answer = await fetch(`${page}/api/v1/agent/chat`, { method: 'POST', headers, body })
  t.match(await answer.text(), /"text":"Hello from behind\."[^]*event: done/)
})

t.test('the examples are short', async (t) => {
  const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length
  t.same(['examples/chat.mjs', 'examples/chat.html'].filter((file) => lines(file) > 31), [])
})
