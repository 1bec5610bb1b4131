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

/** The folders of packages/, each a workspace of npm: `packages/client` is the package `steward-client`. */
export const packages = readdirSync(join(root, 'packages'))
  .filter((name) => existsSync(join(root, 'packages', name, 'package.json'))).sort()

/** @returns what a package.json says, of the root itself without a name */
export const manifestOf = (name) =>
  JSON.parse(readFileSync(join(root, ...name ? ['packages', name] : [], 'package.json'), 'utf8'))

/** The parts of dist that a server is made of. */
export const serverParts = [
  'app.js', 'server.js', 'lib', 'plugins', 'routes', 'schemas', 'db',
  ...packages.map((name) => `packages/${name}/src`)
]

/** The tests beside the sources of the packages. */
export const packageTests = packages.map((name) => `packages/${name}/test`)
  .filter((part) => existsSync(join(root, part)))

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

/** `routes/account/projects.js` is `routes.account.projects.js` in a bundle, which lies flat. */
export const flatName = (file) => relative(dist, file).replaceAll('/', '.')

/** A path beside a module, or the module itself. */
const ownPath = /new URL\("(\.[^"]*)", import\.meta\.url\)|import\.meta\.(url|dirname)/g

/** @returns the code, which finds the scripts that it names in the bundle if they are there, and all else in its place */
const inPlace = (code, file, output, scripts) => {
  const to = (target) => JSON.stringify(scripts.includes(target) ? `./${flatName(target)}` : relative(output, target))
  return code.replaceAll(ownPath, (_all, path, what) => {
    if (what === 'dirname') {
      return `process.getBuiltinModule('path').resolve(import.meta.dirname, ${to(dirname(file))})`
    }
    if (what === 'url') return `new URL(${to(file)}, import.meta.url).href`
    const target = join(dirname(file), path)
    return target.endsWith('/') ? `new URL(${to(target)} + '/', import.meta.url)` : `new URL(${to(target)}, import.meta.url)`
  })
}

/**
 * Our own modules, with the way back to their sources: stacks name those lines. The bundle lies flat in `output`.
 * @param scripts modules that are entries of the bundle: what forks one of them finds it there
 */
export const ownModules = (output, scripts = []) => ({
  name: 'own modules',
  load: (file) => file.startsWith(dist)
    ? { code: inPlace(readFileSync(file, 'utf8'), file, output, scripts), map: readFileSync(`${file}.map`, 'utf8') }
    : null
})

/** What reads files beside its own modules, or is there for others only. */
export const external = [
  /^@electric-sql\/pglite/, /^@cedar-policy\/cedar-wasm/, 'pg-native', /^dictionary-/,
  'hunspell-wasm', 'wasm-vips', 'wink-eng-lite-web-model'
]
