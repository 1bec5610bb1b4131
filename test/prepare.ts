import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openFolder } from '../db/index.js'
import { migrate } from '../db/migrate.js'

/** Makes the migrated embedded database that every test file copies: initdb once, not once a file. */
const template = join(process.cwd(), 'dist', 'test-template')
if (process.env.TEST_DATABASE_URL === undefined) {
  const fresh = `${template}-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const database = await openFolder(fresh)
  await migrate(database.db)
  // initdb's other two databases are half of the files, and no test opens them.
  await sql`update pg_database set datistemplate = false where datname <> current_database()`.execute(database.db)
  for (const name of ['template0', 'template1']) await sql`drop database ${sql.id(name)}`.execute(database.db)
  await database.close()
  // A test run that started before keeps what it copies.
  rmSync(template, { recursive: true, force: true })
  renameSync(fresh, template)
}
