import pg from 'pg'
import { openServer } from '../db/index.js'
import { migrate } from '../db/migrate.js'

/** Runs one statement on the server that TEST_DATABASE_URL names. */
export const runOnServer = async (server: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Makes the migrated database that the suite's others copy: the migrations run once, not once an application. */
export const makeTemplate = async (server: string) => {
  const name = `steward_template_${process.pid}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = openServer(url.href, { max: 1, onError: () => undefined })
  await migrate(database.db)
  await database.close()
  return { name, drop: () => runOnServer(server, `drop database ${name} with (force)`) }
}
