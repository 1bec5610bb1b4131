import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '../db/index.js'
import { migrate } from '../db/migrate.js'

/** Makes the migrated embedded database that every test file copies: initdb once, not once a file. */
const template = join(process.cwd(), 'dist', 'test-template')
if (process.env.TEST_DATABASE_URL === undefined) {
  const fresh = `${template}-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const database = await openFolder(fresh)
  await migrate(database.db)
  await database.close()
  // A test run that started before keeps what it copies.
  rmSync(template, { recursive: true, force: true })
  renameSync(fresh, template)
}
