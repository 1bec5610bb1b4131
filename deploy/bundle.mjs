// Writes the server as few files into dist/bundle, when what it is made of has changed since the last time: reading
// some two thousand modules one by one is two thirds of a start.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest, dist, external, flatName, isCurrent, ownModules, serverParts } from './modules.mjs'

const output = join(dist, 'bundle')
const stamp = join(dist, 'bundle.stamp')
const day = 86_400_000

/** What runs in a process or a thread of its own. */
const scripts = [
  'db/embedded.js', 'packages/document-reader/src/extraction/child.js',
  'packages/document-reader/src/extraction/worker.js', 'lib/media/pixels/worker.js',
  'lib/policies/worker.js', 'lib/processes/meter.js', 'routes/content/lib/text/worker.js',
  'routes/pse/lib/process/worker.js'
].map((name) => join(dist, name))
const input = Object.fromEntries([join(dist, 'server.js'), ...scripts]
  .map((file) => [flatName(file).replace(/\.js$/, ''), file]))

/** What is of the sandbox alone says so: without those files a server with real providers runs as well. */
const chunkFileNames = ({ moduleIds }) =>
  moduleIds.some((id) => id.startsWith(join(dist, 'packages', 'sandbox'))) ? 'sandbox-[name]-[hash].js' : '[name]-[hash].js'

const bundle = async (folder) => {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [ownModules(output, scripts)],
    logLevel: 'warn',
    // What Koa takes with it names deprecated calls by it.
    checks: { eval: false }
  })
  const { output: files } = await build.write({ dir: folder, format: 'esm', sourcemap: true, chunkFileNames })
  await build.close()
  return files.map(({ fileName }) => fileName)
}

/** Each by itself: whoever checks a record, or uses the commands, needs one file and Node, nothing else of ours. */
const alone = { 'verify-audit.js': 'lib/record/verify-script.js', 'command.js': 'packages/cli/src/index.js' }

const bundleAlone = (folder) => Promise.all(Object.entries(alone).map(async ([name, module]) => {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({ input: join(dist, module), platform: 'node', logLevel: 'warn' })
  await build.write({ file: join(folder, name), format: 'esm' })
  await build.close()
  return name
}))

/** The entry comes last: who starts meanwhile reads a whole server. Who runs may yet ask for a part of the old one. */
const replace = (folder, names) => {
  mkdirSync(output, { recursive: true })
  const entry = 'server.js'
  for (const name of [...names.filter((name) => name !== entry), entry]) renameSync(join(folder, name), join(output, name))
  for (const name of readdirSync(output)) {
    if (!names.includes(name) && Date.now() - statSync(join(output, name)).mtimeMs > day) rmSync(join(output, name))
  }
}

const current = digest(import.meta.filename, serverParts)
if (!existsSync(join(output, 'server.js')) || !isCurrent(stamp, current)) {
  const folder = `${output}-${process.pid}`
  replace(folder, [...await bundle(folder), ...await bundleAlone(folder)])
  rmSync(folder, { recursive: true })
  writeFileSync(stamp, current)
}
