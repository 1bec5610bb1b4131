// Writes the test files as few files into dist/test-bundle, when the modules have changed since the last time: a third
// of what a small test file costs is reading some two thousand modules one by one.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import {
  digest, dist, external, flatName, isCurrent, modulesOf, ownModules, packageTests, serverParts
} from '../deploy/modules.mjs'

const output = join(dist, 'test-bundle')
const stamp = join(output, 'stamp')

/** What runs several files in one process, and what they take for `tap` then. */
const batch = join(dist, 'test', 'batch.js')
const root = join(dist, 'test', 'tap.js')

/** The test that holds the server's bundle against its modules has to have the modules. */
const ofModules = join(dist, 'test', 'deploy', 'bundle.test.js')
const entries = ['test', ...packageTests].flatMap(modulesOf)
  .filter((file) => (/\.(test|browser|chaos)\.js$/.test(file) && file !== ofModules) || file === batch)

/** `routes/account/projects.test.js` becomes `routes.account.projects.test.js`: the bundle lies flat, as the server's. */
const input = Object.fromEntries(entries.map((file) =>
  [flatName(file).replace(/^test\./, '').replace(/\.js$/, ''), file]))

/** tap looks for its plugins beside itself; the others too read files of their own, and few tests ask for them. */
const tools = ['typescript', 'playwright-core', 'libpg-query']

/** Of a package that a test file imports and a module loads by `import()`, rolldown makes a chunk that runs the test. */
const sharedByImport = ['diff']

const ownTap = {
  name: 'own tap',
  resolveId: (source, importer) => source !== 'tap' ? null : importer === root ? { id: 'tap', external: true } : root
}

/** A test file that another file imports would run its tests there, and its root would end before the other's begin. */
const refuseImportedTests = (chunks) => {
  const tests = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  const wrong = chunks.find(({ imports }) => imports?.some((file) => tests.has(file)))
  if (wrong !== undefined) throw new Error(`${wrong.fileName} imports a test file: ${wrong.imports.join(', ')}`)
}

const bundle = async (folder) => {
  const build = await rolldown({
    input,
    platform: 'node',
    external: [...external, ...tools, ...sharedByImport],
    plugins: [ownTap, ownModules(output)],
    logLevel: 'warn'
  })
  const { output: chunks } =
    await build.write({ dir: folder, format: 'esm', sourcemap: true, sourcemapExcludeSources: true })
  await build.close()
  refuseImportedTests(chunks)
}

const current = digest(import.meta.filename, [...serverParts, 'bench', 'eval', 'test', ...packageTests])
if (!isCurrent(stamp, current)) {
  const folder = `${output}-${process.pid}`
  await bundle(folder)
  writeFileSync(join(folder, 'stamp'), current)
  rmSync(output, { recursive: true, force: true })
  renameSync(folder, output)
}
