import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from '../tap.js'
import { copyImage } from '../../db/embedded-image.js'
import { openFolder } from '../../db/index.js'
import { migrationNames } from '../../db/migrate.js'
import { makeFolder } from '../app.js'

const image = join(process.cwd(), 'dist', 'database')

interface Made { pglite: string, migrations: string[], folders: string[] }

/** @returns the image as it would be with that said of it */
const imageWith = (t: Parameters<typeof makeFolder>[0], change: (made: Made) => Partial<Made>): string => {
  const folder = makeFolder(t)
  cpSync(image, folder, { recursive: true })
  const file = join(folder, 'made.json')
  // deploy/make-database.mjs wrote it.
  const made = JSON.parse(readFileSync(file, 'utf8')) as Made
  writeFileSync(file, JSON.stringify({ ...made, ...change(made) }))
  return folder
}

const list = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

t.test('a first start has every migration done, and makes no database', async (t) => {
  const folder = makeFolder(t)
  t.equal(await copyImage(join(folder, 'database')), true)
  const { db, close } = await openFolder(folder)
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  t.same(done.rows.map(({ name }) => name), await migrationNames())
  const databases = await sql<{ datname: string }>`select datname from pg_database`.execute(db)
  t.same(databases.rows, [{ datname: 'postgres' }])
  await close()
})

t.test('an image of another PGlite, or with a migration that is not ours, is not used, nor is none', async (t) => {
  const other = imageWith(t, () => ({ pglite: '0.0.1' }))
  const newer = imageWith(t, ({ migrations }) => ({ migrations: [...migrations, '9999-tomorrow'] }))
  for (const from of [other, newer, join(image, 'nowhere')]) {
    const target = join(makeFolder(t), 'database')
    t.equal(await copyImage(target, from), false)
    t.notOk(existsSync(target))
  }
})

t.test('an image that lacks the newest migration is used', async (t) => {
  const older = imageWith(t, ({ migrations }) => ({ migrations: migrations.slice(0, -1) }))
  t.equal(await copyImage(join(makeFolder(t), 'database'), older), true)
})

t.test('a package that lost the empty folders makes them, and what was half copied is made whole', async (t) => {
  const packed = imageWith(t, () => ({}))
  const empty = list(join(packed, 'files')).map((name) => join(packed, 'files', name))
    .filter((path) => statSync(path).isDirectory() && readdirSync(path).length === 0)
  t.ok(empty.length > 5)
  for (const path of empty) rmdirSync(path)
  const target = join(makeFolder(t), 'database')
  mkdirSync(join(target, 'base'), { recursive: true })
  writeFileSync(join(target, 'postgresql.conf'), 'half')
  t.equal(await copyImage(target, packed), true)
  t.same(list(target), list(join(image, 'files')))
  t.same(readFileSync(join(target, 'postgresql.conf')), readFileSync(join(image, 'files', 'postgresql.conf')))
})
