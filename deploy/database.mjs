// Makes dist/database, the image from which an embedded database starts, when PGlite or a migration has changed.
import { execFile } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { digest, dist, isCurrent } from './modules.mjs'

const output = join(dist, 'database')
const stamp = join(dist, 'database.stamp')
const maker = join(import.meta.dirname, 'make-database.mjs')

const current = digest(maker, ['db/migrations', 'db/migrate.js', 'db/embedded.js'])
if (!existsSync(output) || !isCurrent(stamp, current)) {
  const folder = `${output}-${process.pid}`
  // In a process of its own, for its memory. To optimise the code of a database that is made once is a waste.
  await promisify(execFile)(process.execPath, ['--liftoff-only', maker, folder])
  rmSync(output, { recursive: true, force: true })
  renameSync(folder, output)
  writeFileSync(stamp, current)
}
