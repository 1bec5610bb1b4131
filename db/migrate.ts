import { readdir } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { isContended } from './connection-errors.js'
import type { Database } from './types.js'

const folder = new URL('./migrations/', import.meta.url)

/**
 * A migration is read when it is run: most starts only see that all of them were. It gives way before the server looks
 * for a deadlock (1 s), so that never a request of another instance is ended for it; making an index takes its time.
 */
const migrationOf = (name: string): Migration => ({
  up: async (db) => {
    const { up } = await import(new URL(name, folder).href) as Migration
    await sql`set local lock_timeout = '500ms'`.execute(db)
    await sql`set local statement_timeout = 0`.execute(db)
    await up(db)
  }
})

const nameOf = (file: string): string => file.replace(/\.\w+$/, '')

/** Every file of the folder is a migration, in the order of its name; forward only. */
const listFiles = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}-.*\.(js|ts)$/.test(name)).sort()

export const migrationNames = async (): Promise<string[]> => (await listFiles()).map(nameOf)

/** Takes away what an earlier release still uses: a release that does not know it does not run on its schema. */
export const isContraction = (name: string): boolean => name.endsWith('-contract')

/** @returns migrations that were run here; none in a new database */
const listRun = async (db: Kysely<Database>): Promise<string[]> => {
  const look = sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`
  if (!(await look.execute(db)).rows[0]?.name) return []
  return (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows.map(({ name }) => name)
}

/** @returns those that only later releases know, and that take nothing away from this one */
const listLater = async (run: readonly string[]): Promise<string[]> => {
  const known = new Set(await migrationNames())
  return run.filter((name) => !known.has(name) && !isContraction(name))
}

const nothing: Migration = { up: async () => undefined }

const migrationsWith = async (later: readonly string[]): Promise<Record<string, Migration>> => Object.fromEntries([
  ...(await listFiles()).map((file) => [nameOf(file), migrationOf(file)] as const),
  ...later.map((name) => [name, nothing] as const)
])

/** Migrations of different areas do not depend on each other: one that arrives late is run all the same. */
const migrator = (db: Kysely<Database>, later: readonly string[]) =>
  new Migrator({ db, provider: { getMigrations: () => migrationsWith(later) }, allowUnorderedMigrations: true })

/** How long a migration tries to get at a table that others write all the time, or waits for another instance's. */
const contendedMs = 300_000
const pause = () => new Promise((resolve) => setTimeout(resolve, 200 + 300 * Math.random()))

/**
 * Brings the schema to the newest migration, under the migrator's own lock: several instances may start at once. Each
 * migration is a transaction and locks one table, so it stands in no circle with the requests that others serve.
 * A later release only adds, so this one runs beside it and after it, until that one takes something away.
 * @throws the error of the migration that failed, whose transaction was rolled back; and where something was taken away
 */
export const migrate = async (db: Kysely<Database>): Promise<void> => {
  const run = await listRun(db)
  const later = await listLater(run)
  const all = migrator(db, later)
  for (let end = Date.now() + contendedMs; ;) {
    // A new database is nobody else's yet.
    const { error, results } = run.length === 0 ? await all.migrateToLatest() : await all.migrateUp()
    if (results?.some(({ status }) => status === 'Success')) end = Date.now() + contendedMs
    else if (!error) return
    // Such a release has migrated meanwhile.
    else if ((await listLater(await listRun(db))).length > later.length) return migrate(db)
    else if (!isContended(error) || Date.now() > end) throw error
    else await pause()
  }
}
