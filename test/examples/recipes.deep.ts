import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import t from '../tap.js'

const recipes = join(process.cwd(), 'examples/recipes')
const page = readFileSync('docs/contributing.md', 'utf8')
const names = readdirSync(recipes).filter((name) => name.endsWith('.patch')).map((name) => name.replace('.patch', ''))

/** @returns the files that a patch adds or changes */
const filesOf = (name: string): string[] =>
  [...readFileSync(join(recipes, `${name}.patch`), 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file)

/** What a copy does not need, or makes itself. */
const leftOut = /^(\.git|\.tap|data|node_modules|dist\/(bundle|clients|web|test-bundle)|examples\/clients\/node_modules)(\/|$)/
const folder = mkdtempSync(join(tmpdir(), 'steward-recipes-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
// With the times of the files, so that the build makes only what a patch changed; links in dist are of that folder.
cpSync('.', folder, {
  recursive: true,
  preserveTimestamps: true,
  verbatimSymlinks: true,
  filter: (path) => !leftOut.test(relative('.', path))
})
symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))

/** @returns what the command prints. The copy is no repository, and may lie in one: git must not take that for it. */
const run = async (command: string, ...args: string[]): Promise<string> => {
  // The runner's limit of a file ends a test of the copy, too.
  const env = { ...process.env, TAP_TIMEOUT: '0', GIT_CEILING_DIRECTORIES: dirname(folder) }
  try {
    return (await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 2 ** 28 })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string, stderr?: string } // execFile's rejection has both.
    const at = Math.max(0, stdout.search(/^ *not ok /m))
    throw new Error(`${command} ${args.join(' ')}\n${stdout.slice(at, at + 4_000)}\n${stderr.slice(0, 4_000)}`)
  }
}
const build = (...parts: string[]) => run(process.execPath, ...parts, 'bench', 'eval', 'test')

/** @param file a test below test/, without its ending: it may be quick or deep */
const runTest = (file: string): Promise<string> => {
  const built = ['test', 'deep'].map((suite) => join(folder, 'dist/test', `${file}.${suite}.js`)).find(existsSync)
  if (built === undefined) throw new Error(`There is no test ${file}`)
  return run(process.execPath, '--enable-source-maps', built)
}

const apply = (name: string, ...options: string[]) =>
  run('git', 'apply', ...options, join(recipes, `${name}.patch`)).catch((error: Error) => {
    throw new Error(`examples/recipes/${name}.patch does not apply; examples/recipes/README.md says how to renew it`,
      { cause: error })
  })

t.test('the page explains each recipe, and names each file of it', async (t) => {
  t.same(names, ['durable-work', 'endpoint', 'provider', 'tool'])
  for (const name of names) {
    const section = page.split('\n## ').find((part) => part.includes(`](../examples/recipes/${name}.patch)`)) ?? ''
    t.same(filesOf(name).filter((file) => !section.includes(`\`${file}\``)), [], name)
  }
})

/** The runner's limit of a file is what ends it: compilers wait for whatever else the machine does. */
const timeout = 600_000

for (const name of names) {
  t.test(`${name}: the patch applies by itself, and its own tests pass`, { timeout }, async (t) => {
    await apply(name)
    await build('deploy/transpile.mjs')
    const tests = filesOf(name).filter((file) => /^test\/routes\/.*\.(test|deep)\.ts$/.test(file))
    t.ok(tests.length > 0, 'it has a test')
    for (const file of tests) {
      const output = await runTest(file.replace(/^test\//, '').replace(/\.(test|deep)\.ts$/, ''))
      t.match(output, /^ok 1 /m, file)
    }
    await apply(name, '--reverse')
  })
}

t.test('together they have types, and fit what is generated and what the guards compare', { timeout }, async (t) => {
  for (const name of names) await apply(name)
  await build('deploy/build.mjs')
  writeFileSync(join(folder, 'openapi.yaml'), await run(process.execPath, 'dist/server.js', 'openapi'))
  await run(process.execPath, 'packages/client/types.mjs')
  await run(process.execPath, 'node_modules/typescript-7/bin/tsc', '-p', 'test', '--noEmit')
  const settings = await run(process.execPath, 'dist/server.js', 'configuration')
  t.ok(readFileSync(join(folder, 'docs/configuration.md'), 'utf8').includes(settings.trim()), 'docs/configuration.md')
  const guards = ['guards/openapi', 'guards/server-words', 'guards/tools', 'plugins/tool-search', 'consent/account']
  for (const file of guards) {
    t.match(await runTest(file), /^ok 1 /m, file)
  }
})
