// For `npm pack`: builds afresh, and leaves in package.json, for as long as it is packed, what a server that is built
// needs: the rest is in its bundle. `restore` puts the whole file back.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, external, manifestOf, packages, root } from './modules.mjs'

const file = join(root, 'package.json')
const whole = join(dist, 'package.json')

/** Migrations are not in the bundle: each is read when it is run. @fastify/static holds another's at our version. */
const needed = [...external, 'kysely', '@fastify/static']
const isNeeded = (name) => needed.some((one) => one instanceof RegExp ? one.test(name) : one === name)

const restore = () => { if (existsSync(whole)) renameSync(whole, file) }

const reduce = () => {
  const text = readFileSync(file, 'utf8')
  const { scripts, overrides, devDependencies, dependencies, workspaces, ...rest } = JSON.parse(text)
  const all = [dependencies, ...packages.map((name) => manifestOf(name).dependencies ?? {})]
  const neededOf = (lists) =>
    Object.fromEntries(lists.flatMap((some) => Object.entries(some)).filter(([name]) => isNeeded(name)).sort())
  const optional = neededOf(packages.map((name) => manifestOf(name).optionalDependencies ?? {}))
  writeFileSync(whole, text)
  writeFileSync(file, `${JSON.stringify({
    ...rest, dependencies: neededOf(all), optionalDependencies: optional
  }, null, 2)}\n`)
}

restore()
if (process.argv[2] !== 'restore') {
  // Without the parts of earlier bundles.
  for (const name of ['bundle', 'bundle.stamp']) rmSync(join(dist, name), { recursive: true, force: true })
  await import('./build.mjs')
  reduce()
}
