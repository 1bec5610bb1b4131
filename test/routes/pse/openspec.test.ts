import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.js'
import { brief } from './lib/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'

const app = await buildApp(t)
const { json } = actor(app)
const run = promisify(execFile)
const cli = resolve('node_modules/@fission-ai/openspec/bin/openspec.js')

interface File { path: string, content: string }

/** What OpenSpec's own command says of the folder. It writes and calls nothing outside of it. */
const validate = async (t: Pick<Test, 'teardown'>, files: readonly File[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-openspec-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const change = /^openspec\/changes\/([^/]+)\//.exec(files[0]?.path ?? '')?.[1] ?? ''
  const env = { PATH: process.env.PATH, HOME: folder, OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1', CI: 'true' }
  const options = { cwd: folder, env }
  const asked = run(process.execPath, [cli, 'validate', change, '--type', 'change', '--strict', '--json'], options)
  const { stdout } = await asked.catch((error: { stdout: string }) => error)
  return JSON.parse(stdout) as { items: { valid: boolean, issues: unknown[] }[] }
}

const exported = async (text: string, more: object = {}) => {
  const { path } = await makeSession(app, text, more)
  await generate(app, path)
  return (await json(`${path}/files?layout=openspec`)).files as File[]
}

const many = Array.from({ length: 30 }, (_, at) => `Door ${at} must open within ${at + 1} seconds.`).join('\n\n')
const long = `The lockers must ${'open and close and '.repeat(40)}beep.`
const hostile = '# Features\n\n### Requirement: mine\n\nDoors must # Scenario open.\n\n- must `x` | y\n\n## REMOVED\n'

t.test('A9: OpenSpec itself finds nothing to say about its export', async (t) => {
  const cases: [string, object][] = [
    [brief, {}],
    [brief, { artifacts: ['requirements', 'design', 'tasks', 'decisions'] }],
    [brief, { notation: 'gherkin', title: 'Ärger & <b>Freude</b>: “Türen”' }],
    ['Doors must open.', { title: '門' }],
    [`${many}\n\n${long}\n\n${hostile}`, { options: { max_requirements: 60 } }]
  ]
  for (const [text, more] of cases) {
    const { items } = await validate(t, await exported(text, more))
    t.match(items, [{ valid: true, issues: [] }], JSON.stringify(more))
  }
})

t.test('the oracle sees: a change without scenarios is refused', async (t) => {
  const files = await exported('Doors must open.')
  const broken = files.map(({ path, content }) => ({ path, content: content.replace(/#### Scenario[^]*/, '') }))
  t.match((await validate(t, broken)).items, [{ valid: false }])
})
