import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Tests run in the repository's folder. */
const root = process.cwd()

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What packages install, what their builds write, and the client's types, which are made of openapi.yaml. */
const generated = /(?:^|\/)(?:node_modules|dist)\/|^packages\/client\/src\/openapi\.ts$/

/** @returns every TypeScript file under the folder that is written by hand, by its path in the repository */
export const listSources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)).filter((path) => !generated.test(path)).sort()

/** The folders of packages/. */
export const packages = readdirSync(join(root, 'packages'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name)

/** @returns every source of the browser client, by its path in the repository */
export const listPageSources = (): string[] =>
  readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name)).map((name) => join('web', name)).sort()

export interface Import {
  from: string
  /** A path in the repository, or a package's name. */
  to: string
  external: boolean
  typeOnly: boolean
  /** Imported while running, where it is needed. */
  dynamic: boolean
}

const statement = /^(?:import|export)\s+(type\s+)?((?:[\w*\s{},$]|\btype\b)*?)\s*from\s+'([^']+)'|\bimport\('([^']+)'\)/gm

const isTypeOnly = (marked: string | undefined, names: string): boolean => {
  if (marked) return true
  const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1]?.split(',').map((name) => name.trim()).filter(Boolean)
  return listed !== undefined && listed.length > 0 && listed.every((name) => name.startsWith('type '))
}

/** @returns what a file imports, type imports and dynamic ones included */
export const importsOf = (from: string): Import[] =>
  [...read(from).matchAll(statement)].map(([, marked, names = '', fixed, awaited]) => {
    const target = fixed ?? awaited ?? ''
    const external = !target.startsWith('.')
    const to = external ? target : relative(root, join(root, dirname(from), target)).replace(/\.js$/, '.ts')
    const dynamic = fixed === undefined
    return { from, to, external, typeOnly: !dynamic && isTypeOnly(marked, names), dynamic }
  })
