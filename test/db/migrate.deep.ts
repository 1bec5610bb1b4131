import { sql } from 'kysely'
import pg from 'pg'
import t from '../tap.js'
import { migrate } from '../../db/migrate.js'
import { workspace } from '../app.js'

const app = await workspace(t)
const { db } = app
const noteRun = (name: string) =>
  sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(db)
const countRun = async () =>
  (await sql<{ count: number }>`select count(*) from kysely_migration`.execute(db)).rows[0]?.count

t.test('a migration lets those pass who write to its table, and is run after them', {
  skip: !process.env.TEST_DATABASE_URL && 'the embedded database has one connection'
}, async (t) => {
  const open = async () => {
    const client = new pg.Client({ connectionString: app.config.DATABASE_URL })
    t.teardown(() => client.end())
    await client.connect()
    return client
  }
  const [writer, other] = [await open(), await open()]
  const before = await countRun()
  await sql`delete from kysely_migration where name = '0060-codehost-receipt-turns'`.execute(db)
  await sql`drop index codehost_receipt_turn`.execute(db)
  const write = 'begin; lock table codehost_receipt in row exclusive mode'
  await writer.query(write)
  const migrated = migrate(db)
  const countWaiting = async () => Number((await other.query(`select count(*) from pg_locks
    where relation = 'codehost_receipt'::regclass and not granted`)).rows[0].count)
  while (await countWaiting() === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await other.query(write)
  await other.query('commit')
  await writer.query('commit')
  await migrated
  t.equal(await countRun(), before)
  t.same((await sql`select to_regclass('codehost_receipt_turn')::text as name`.execute(db)).rows,
    [{ name: 'codehost_receipt_turn' }])
})

t.test('a start on the database of a later release, which only added to it, changes nothing', async (t) => {
  await noteRun('9998-later')
  const before = await countRun()
  await migrate(db)
  t.equal(await countRun(), before)
})

t.test('a start on a database from which a later release took something is refused', async (t) => {
  await noteRun('9999-later-contract')
  await t.rejects(migrate(db), /9999-later-contract is missing/)
})
