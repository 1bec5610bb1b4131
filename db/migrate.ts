import { readdir } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './types.js'

const folder = new URL('./migrations/', import.meta.url)

/** A migration is read when it is run: most starts only see that all of them were. */
const migrationOf = (name: string): Migration => ({
  up: async (db) => {
    const { up } = await import(new URL(name, folder).href) as Migration
    await up(db)
  }
})

/** Every file of the folder is a migration, in the order of its name; forward only. */
const getMigrations = async (): Promise<Record<string, Migration>> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.(js|ts)$/.test(name)).sort()
  return Object.fromEntries(names.map((name) => [name.replace(/\.\w+$/, ''), migrationOf(name)]))
}

/** Migrations of different areas do not depend on each other: one that arrives late is run all the same. */
const migrator = (db: Kysely<Database>) =>
  new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true })

/**
 * Brings the schema to the newest migration, under the migrator's own lock: several instances may start at once.
 * @throws the error of the migration that failed; its transaction was rolled back
 */
export const migrate = async (db: Kysely<Database>): Promise<void> => {
  const { error } = await migrator(db).migrateToLatest()
  if (error) throw error
}
