import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import t from 'tap'
import { buildApp } from '../app.js'

const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })

t.test('the workspace leads the keys of every table, and docs/scaling.md names each', async (t) => {
  const { rows } = await sql<{ name: string, first: string }>`
    select c.relname as name, (select a.attname from pg_attribute a
      where a.attrelid = c.oid and a.attnum = i.indkey[0]) as first
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisunique
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'`.execute(app.db)
  t.ok(rows.length > 40)
  const others = rows.filter(({ first }) => first !== 'workspace_id').map(({ name, first }) => `${name}.${first}`)
  t.same(others.toSorted(), ['account_link.hash', 'account_session.hash', 'account_token.hash', 'workspace.id'])
  const documented = readFileSync('docs/scaling.md', 'utf8')
  t.same([...new Set(rows.map(({ name }) => name))].filter((name) => !documented.includes(`'${name}'`)), [])
})
