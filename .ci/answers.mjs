// Exits with 0 when a PostgreSQL answers at the URL and lets databases be made.
import pg from 'pg'

const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3_000 })
await client.connect()
const { rows } = await client.query('select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user')
await client.end()
process.exit(rows[0]?.may ? 0 : 1)
