import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface Package { lastRelease: string, dependencies: Record<string, string> }

const root = process.cwd()
const ours = JSON.parse(readFileSync('package.json', 'utf8')) as Package

/** The commit of the release that instances may be of which run beside this one. */
export const lastRelease = ours.lastRelease

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'pipe'] })

/** @returns what git says; undefined when it fails, or there is no repository */
const ask = (...args: string[]): string | undefined => {
  try {
    return git(...args).trim()
  } catch {
    return undefined
  }
}

export const hasLastRelease = ask('cat-file', '-e', `${lastRelease}^{commit}`) !== undefined

/** @throws Error in a shallow clone, or none */
const requireCommit = (): void => {
  if (hasLastRelease) return
  throw new Error(`Here is no commit ${lastRelease}, the last release (lastRelease in package.json): ` +
    'fetch it, as by git fetch --unshallow')
}

/** @returns a file as the last release has it */
export const readLast = (path: string): string => {
  requireCommit()
  return git('show', `${lastRelease}:${path}`)
}

/** @returns the paths of a folder's files, as the last release has it */
export const listLast = (folder: string): string[] => {
  requireCommit()
  return git('ls-tree', '-r', '--name-only', lastRelease, folder).trim().split('\n')
}

const isImported = (folder: string, name: string): boolean => {
  try {
    return execFileSync('grep', ['-rlE', `['"]${name}['"/]`, 'app.ts', 'db', 'lib', 'plugins', 'routes', 'schemas'],
      { cwd: folder, encoding: 'utf8' }) !== ''
  } catch {
    return false
  }
}

/** Packages of which its server needs other versions than are installed here. */
const otherPackages = (folder: string): string[] => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  return Object.entries(dependencies)
    .filter(([name, version]) => ours.dependencies[name] !== version && isImported(folder, name))
    .map(([name]) => name)
}

/**
 * Builds the server of the last release from its commit, once, with the packages that are installed here as long as
 * they are the same, else with its own.
 * @returns its folder
 */
export const buildLastRelease = (): string => {
  requireCommit()
  const script = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex').slice(0, 8)
  // Node finds the packages of the repository from here.
  const folder = join(root, 'dist', 'last-release', `${lastRelease.slice(0, 12)}-${script}`)
  if (existsSync(folder)) return folder
  const making = `${folder}-${process.pid}`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  const archive = execFileSync('git', ['archive', lastRelease], { maxBuffer: 2 ** 28 })
  execFileSync('tar', ['x', '-C', making], { input: archive })
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] })
  if (otherPackages(making).length > 0) run('npm', 'ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund')
  for (const part of ['transpile', 'bundle']) run(process.execPath, join('deploy', `${part}.mjs`))
  renameSync(making, folder)
  return folder
}
