// Writes the server as few files into dist/bundle, when what it is made of has changed since the last time: reading
// some two thousand modules one by one is two thirds of a start.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { digest, dist, external, isCurrent, ownModules, serverParts } from './modules.mjs'

const output = join(dist, 'bundle')
const stamp = join(dist, 'bundle.stamp')
const day = 86_400_000

const bundle = async (folder) => {
  const build = await rolldown({
    input: join(dist, 'server.js'), platform: 'node', external, plugins: [ownModules(output)], logLevel: 'warn'
  })
  const { output: files } = await build.write({ dir: folder, format: 'esm', sourcemap: true })
  await build.close()
  return files.map(({ fileName }) => fileName)
}

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
  replace(folder, await bundle(folder))
  rmSync(folder, { recursive: true })
  writeFileSync(stamp, current)
}
