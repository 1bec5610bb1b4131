// What the bundles of dist's modules have in common: that of the server, and that of the tests.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const dist = join(root, 'dist')

/** @returns the compiled modules of a folder of dist, or the one module that is named */
export const modulesOf = (part) => part.endsWith('.js')
  ? [join(dist, part)]
  : readdirSync(join(dist, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js')).sort().map((name) => join(dist, part, name))

/** The parts of dist that a server is made of. */
export const serverParts = ['app.js', 'server.js', 'lib', 'plugins', 'routes', 'schemas', 'db', 'sandbox']

/** @returns what changes with the modules, the packages and the two scripts that bundle them */
export const digest = (script, parts) => {
  const hash = createHash('sha256')
  for (const file of [script, import.meta.filename, join(root, 'package-lock.json'), ...parts.flatMap(modulesOf)]) {
    hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** @returns whether the stamp that was left with a bundle is that of today's modules */
export const isCurrent = (stamp, current) => existsSync(stamp) && readFileSync(stamp, 'utf8') === current

/** A module goes on finding what lies beside it: migrations, the scripts of child processes, the program that creates a database. */
const inPlace = (code, file, output) => code.replaceAll(/import\.meta\.(url|dirname)/g, (_all, what) => what === 'url'
  ? `new URL(${JSON.stringify(relative(output, file))}, import.meta.url).href`
  : `process.getBuiltinModule('path').resolve(import.meta.dirname, ${JSON.stringify(relative(output, dirname(file)))})`)

/** Our own modules, with the way back to their sources: stacks name those lines. The bundle lies flat in `output`. */
export const ownModules = (output) => ({
  name: 'own modules',
  load: (file) => file.startsWith(dist)
    ? { code: inPlace(readFileSync(file, 'utf8'), file, output), map: readFileSync(`${file}.map`, 'utf8') }
    : null
})

/** What reads files beside its own modules, or is there for others only. */
export const external = [/^@electric-sql\/pglite/, /^@fastify\/swagger-ui$/, 'pg-native']
