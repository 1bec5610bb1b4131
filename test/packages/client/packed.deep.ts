import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from '../../tap.js'
import ts from 'typescript'
import { adminToken } from '../../app.js'
import { scripted, startChatApp } from '../../chat.js'
import { say, serviceId, timesScaled, wantsToScale } from '../../flows/asking.js'

const root = process.cwd()
mkdirSync('dist', { recursive: true })
// Below the repository: there the package finds the one that it depends on.
const folder = mkdtempSync(join(root, 'dist/packed-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const installed = join(folder, 'node_modules/steward-client')

const source = `
import { body, createSteward, itemsOf, Problem, type Schemas } from 'steward-client'
export const chat = async (baseUrl: string, token: string, message: string): Promise<string[]> => {
  const { api, chat } = createSteward({ baseUrl, token })
  const seen: string[] = []
  for await (const { data } of chat({ message })) {
    seen.push(data.type)
    if (data.type !== 'confirmation_required') continue
    const { session_id, confirmation_id, input_digest } = data
    const result = await body(api.POST('/api/v1/agent/confirm',
      { body: { session_id, confirmation_id, input_digest, approved: true } }))
    seen.push(result.status)
  }
  return seen
}
export const projects = async (baseUrl: string, token: string): Promise<Schemas['Project'][]> => {
  const { api } = createSteward({ baseUrl, token })
  for (const name of ['A', 'B', 'C']) await body(api.POST('/account/projects', { body: { name } }))
  const all: Schemas['Project'][] = []
  const load = (cursor?: string) => body(api.GET('/account/projects', {
    params: { query: { limit: 2, ...(cursor !== undefined && { cursor }) } }
  }))
  for await (const project of itemsOf(load)) all.push(project)
  return all
}
export const problem = async (baseUrl: string, token: string): Promise<unknown> => {
  const { api } = createSteward({ baseUrl, token })
  // @ts-expect-error: the body is closed
  const wrong: Schemas['CreateProject'] = { name: 'x', colour: 'red' }
  const error: unknown = await body(api.POST('/account/projects', { body: wrong })).catch((reason: unknown) => reason)
  return error instanceof Problem && [error.code, error.status, error.pointer]
}
`

const compile = (file: string): string[] => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: []
  }
  const program = ts.createProgram([file], options)
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText, file }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

t.test('the package has its modules, their types, a licence and a page about it, and nothing else', async (t) => {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder],
    { cwd: 'packages/client', stdio: 'pipe' })
  const [file = ''] = readdirSync(folder)
  t.equal(file, 'steward-client-0.1.0.tgz')
  execFileSync('tar', ['-xzf', file], { cwd: folder })
  mkdirSync(join(folder, 'node_modules'))
  renameSync(join(folder, 'package'), installed)
  const modules = ['client', 'follow', 'frames', 'index', 'openapi', 'pages', 'problem', 'send']
  t.same(readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort(),
    ['LICENSE', 'README.md', 'dist', ...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
      'package.json'].sort())
  t.equal(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync('LICENSE', 'utf8'))
})

t.test('its types are those of openapi.yaml as it is', async (t) => {
  const cli = join(root, 'node_modules/openapi-typescript/bin/cli.js')
  const fresh = execFileSync(process.execPath, [cli, 'openapi.yaml', '--default-non-nullable=false'],
    { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })
  const code = (text: string) => text.replace(/\/\*\*[^]*?\*\//g, '').replace(/\s+/g, '').replaceAll('exportdeclare', 'export')
  t.ok(fresh.length > 500_000)
  t.ok(code(readFileSync(join(installed, 'dist/openapi.d.ts'), 'utf8')) === code(fresh), 'the same types')
})

t.test('a program that uses it compiles, and runs a chat with an approval, pages and an error', async (t) => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), source)
  t.same(compile(join(folder, 'program.ts')), [])
  const steward = await startChatApp(t)
  const program = await import(pathToFileURL(join(folder, 'program.js')).href) as
    Record<'chat' | 'projects' | 'problem', (url: string, token: string, message?: string) => Promise<unknown>>
  const web = await serviceId(steward.app, 'web')
  const message = scripted(steward.anthropic, [wantsToScale([web, 4]), say('Done.')])
  const seen = await program.chat(steward.url, adminToken, message) as string[]
  t.same(seen.filter((type, index) => type !== seen[index - 1]),
    ['content', 'tool_call', 'confirmation_required', 'approved', 'tool_call', 'tool_result', 'content', 'done'])
  t.equal(await timesScaled(steward, web, 4), 1)
  t.match(await program.projects(steward.url, adminToken), [{ name: 'C' }, { name: 'B' }, { name: 'A' }])
  t.same(await program.problem(steward.url, adminToken), ['unknown_field', 400, '/colour'])
})
