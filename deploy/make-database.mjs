// Writes into a folder the image that db/embedded-image.ts reads: the files of an embedded database, empty and migrated.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pgliteVersion } from '../dist/db/embedded-image.js'
import { openEmbedded } from '../dist/db/embedded.js'
import { openFolder } from '../dist/db/index.js'
import { migrate, migrationNames } from '../dist/db/migrate.js'

const [folder] = process.argv.slice(2)
const data = join(folder, 'data')
const files = join(folder, 'files')

mkdirSync(data, { recursive: true })
// By itself: who opens a folder would copy the image that is there.
await (await openEmbedded(data)).close()
const { db, close } = await openFolder(data)
await migrate(db)
// initdb's other two databases are half of the files, and nobody opens them.
await sql`update pg_database set datistemplate = false where datname <> current_database()`.execute(db)
for (const name of ['template0', 'template1']) await sql`drop database ${sql.id(name)}`.execute(db)
await close()
renameSync(join(data, 'database'), files)
rmSync(data, { recursive: true })

const folders = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1)).sort()
const made = { pglite: pgliteVersion(), migrations: await migrationNames(), folders }
writeFileSync(join(folder, 'made.json'), JSON.stringify(made))
