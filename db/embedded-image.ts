import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationNames } from './migrate.js'

/** What deploy/database.mjs leaves beside the image. `folders`: a package loses those that are empty. */
interface Made { pglite: string, migrations: string[], folders: string[] }

const image = fileURLToPath(new URL('../database', import.meta.url))
/** Says that all files are there, so it is written last. */
const marker = 'PG_VERSION'

/** The version of PGlite that is installed: the files are its own, and belong to no other. */
export const pgliteVersion = (): string => {
  const file = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  // Every package has one.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** @returns what the image is, unless there is none, or one of another version or of migrations that are not ours */
const readMade = async (folder: string): Promise<Made | undefined> => {
  try {
    // deploy/database.mjs wrote it.
    const made = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as Made
    const known = new Set(await migrationNames())
    return made.pglite === pgliteVersion() && made.migrations.every((name) => known.has(name)) ? made : undefined
  } catch {
    return undefined
  }
}

/**
 * Copies the files of an empty, migrated database, which were made when Steward was built: making them takes seconds.
 * @returns whether there was such an image
 */
export const copyImage = async (target: string, from = image): Promise<boolean> => {
  const made = await readMade(from)
  if (made === undefined) return false
  const files = join(from, 'files')
  for (const folder of made.folders) mkdirSync(join(target, folder), { recursive: true })
  for (const entry of readdirSync(files, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || file === join(files, marker)) continue
    copyFileSync(file, join(target, file.slice(files.length)))
  }
  copyFileSync(join(files, marker), join(target, marker))
  return true
}
