import { sql } from 'kysely'
import t from '../tap.js'
import { findOrCreateWorkspace } from '../../db/account/workspace.js'
import { distribute } from '../../db/schema-tables.js'
import { buildApp } from '../app.js'

const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })

t.test('the workspace leads the keys of every table', async (t) => {
  const { rows } = await sql<{ name: string, first: string }>`
    select c.relname as name, (select a.attname from pg_attribute a
      where a.attrelid = c.oid and a.attnum = i.indkey[0]) as first
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisunique
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'`.execute(app.db)
  t.ok(rows.length > 40)
  const others = rows.filter(({ first }) => first !== 'workspace_id').map(({ name, first }) => `${name}.${first}`)
  t.same(others.toSorted(), ['workspace.id'])
})

t.test('a plain database is not distributed, and says so in one line', async (t) => {
  await t.rejects(distribute(app.db),
    { message: 'This database has no extension citus: there is nothing to distribute to' })
})

t.test('the first workspace is marked: an older one, that comes from elsewhere, does not become it', async (t) => {
  const { rows: [older] } = await sql<{ id: string }>`with made as (
      insert into workspace (id, name, created_at) values (gen_random_uuid(), 'Older', '2001-01-01') returning id)
    insert into account_user (workspace_id, id, name, role) select id, gen_random_uuid(), 'Elder', 'admin' from made
    returning workspace_id as id`.execute(app.db)
  t.same(await findOrCreateWorkspace(app.db), app.home)
  await app.db.updateTable('workspace').set({ is_first: false }).execute()
  t.equal((await findOrCreateWorkspace(app.db)).workspace_id, older?.id, 'without a mark the oldest is marked, once')
  const marked = await app.db.selectFrom('workspace').select('id').where('is_first', '=', true).execute()
  t.same(marked, [{ id: older?.id }])
})
