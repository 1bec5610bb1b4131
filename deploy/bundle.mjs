// Writes the server as few files into dist/bundle, when what it is made of has changed since the last time: reading
// some two thousand modules one by one is two thirds of a start.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const output = join(dist, 'bundle')
const stamp = join(dist, 'bundle.stamp')
const parts = ['app.js', 'server.js', 'plugins', 'routes', 'schemas', 'db', 'sandbox']
const day = 86_400_000

const filesOf = (part) => part.endsWith('.js')
  ? [join(dist, part)]
  : readdirSync(join(dist, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js')).sort().map((name) => join(dist, part, name))

const digest = () => {
  const hash = createHash('sha256')
  for (const file of [import.meta.filename, join(root, 'package-lock.json'), ...parts.flatMap(filesOf)]) {
    hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** A module goes on finding what lies beside it: migrations, the worker thread, the program that creates a database. */
const inPlace = (code, file) => code.replaceAll(/import\.meta\.(url|dirname)/g, (_all, what) => what === 'url'
  ? `new URL(${JSON.stringify(relative(output, file))}, import.meta.url).href`
  : `process.getBuiltinModule('path').resolve(import.meta.dirname, ${JSON.stringify(relative(output, dirname(file)))})`)

/** Our own modules, with the way back to their sources: stacks name those lines. */
const modules = {
  name: 'modules',
  load: (file) => file.startsWith(dist)
    ? { code: inPlace(readFileSync(file, 'utf8'), file), map: readFileSync(`${file}.map`, 'utf8') }
    : null
}

/** What reads files beside its own modules, or is there for others only. */
const external = [/^@electric-sql\/pglite/, /^@fastify\/swagger-ui$/, 'pg-native']

const bundle = async (folder) => {
  const build = await rolldown({
    input: join(dist, 'server.js'), platform: 'node', external, plugins: [modules], logLevel: 'warn'
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

const current = digest()
if (!existsSync(join(output, 'server.js')) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  const folder = `${output}-${process.pid}`
  replace(folder, await bundle(folder))
  rmSync(folder, { recursive: true })
  writeFileSync(stamp, current)
}
