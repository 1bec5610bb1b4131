import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from '../tap.js'
import { listOwn } from '../../db/account/workspaces.js'
import { distribute, listTables } from '../../db/schema-tables.js'
import { openServer } from '../../db/index.js'
import { findWorkers } from '../../db/workers.js'
import { breachesOf, isRestricted } from '../guards/router-rules.js'
import { listStatements, type Shown } from './snapshot.js'

/**
 * All statements on a real Citus. `CITUS_URL` is its coordinator; its workers must be reachable from here under the
 * addresses by which the coordinator knows them, as `postgres` without a password.
 */
const coordinator = process.env.CITUS_URL ?? ''
const skip = coordinator === '' && 'CITUS_URL names no Citus'

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

const on = async (url: string, ...statements: string[]): Promise<void> => {
  const client = await connect(url)
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const inDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** A value of a type, as it stands in a statement. @param ids of uuids, where there may be several */
const sampleOf = (type: string, ids = ''): string => {
  if (type === 'uuid[]') return `'{${ids}}'`
  if (type.endsWith('[]')) return "'{}'"
  const samples: [RegExp, string][] = [[/uuid/, `'${'0'.repeat(8)}-0000-7000-8000-000000000001'`], [/bool/, 'false'],
    [/int|numeric|double|real/, '1'], [/json/, "'[{}]'"], [/time|date/, "'2026-01-01'"], [/bytea/, "'\\x00'"]]
  return samples.find(([name]) => name.test(type))?.[1] ?? "'x'"
}

/** A cell is given a wrong value; what it refers to is not there; a column of another table in a list of both. */
const isOfValue = (error: { code?: string }): boolean => /^(?:22|23|42703)/.test(error.code ?? '')

/** More than PostgreSQL makes plans for the values, before it keeps one for all. */
const often = 7

/** A choice of server is made at each, so that the plan that is kept is tried as well. All of it is undone. */
const replay = async (client: pg.Client, { statement }: Shown, ids?: string): Promise<string | undefined> => {
  await client.query('begin')
  try {
    await client.query(`prepare one as ${statement}`)
    const { rows: [row] } = await client.query<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = 'one'")
    const values = row?.types.map((type) => sampleOf(type, ids)).join(', ')
    for (let i = 0; i < often; i++) {
      await client.query('savepoint here')
      await client.query(values ? `execute one (${values})` : 'execute one')
        .catch((error: pg.DatabaseError) => { if (!isOfValue(error)) throw error })
      await client.query('rollback to savepoint here')
    }
  } catch (error) {
    return isOfValue(error as pg.DatabaseError) ? undefined : (error as Error).message
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
  return undefined
}

/** What is not a table of ours, and what begins or ends a transaction. */
const isOurs = ({ statement }: Shown): boolean => !/\bjobs\.|^(?:begin|commit|rollback)$/.test(statement)

t.setTimeout(600_000)

t.test('a real Citus takes every statement, and sweeps go on without a worker', { skip }, async (t) => {
  const name = `steward_${randomUUID().replaceAll('-', '')}`
  const { rows: workers } = await connect(coordinator).then(async (client) => {
    const found = await client.query<{ host: string, port: number }>(
      "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary'")
    await client.end()
    return found
  })
  const servers = [coordinator, ...workers.map(({ host, port }) => `postgres://postgres@${host}:${port}/postgres`)]
  const each = async (...statements: string[]) => { for (const url of servers) await on(url, ...statements) }
  await each('set citus.enable_create_database_propagation = off', `create database ${name}`)
  t.teardown(() => each('set citus.enable_create_database_propagation = off', `drop database ${name} with (force)`))
  for (const url of servers) await on(inDatabase(url, name), 'create extension citus')
  const { hostname, port } = new URL(coordinator)
  const url = inDatabase(coordinator, name)
  await on(url, `select citus_set_coordinator_host('${hostname}', ${port || '5432'})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`))

  const database = openServer(url, { max: 1, onError: () => undefined, queryTimeoutMs: 600_000 })
  t.ok((await distribute(database.db)).length > 40)
  t.same(await distribute(database.db), [])
  await database.close()

  const client = await connect(url)
  const refused: string[] = []
  for (const one of listStatements().filter(isOurs)) {
    const reason = await replay(client, one)
    if (reason !== undefined) refused.push(`${one.sentBy}: ${reason}: ${one.statement}`)
  }
  t.same(refused, [])

  await client.query(`insert into workspace (id, name, hosts)
    select gen_random_uuid(), 'Some', array['host-' || n] from generate_series(1, 40) as n`)
  const { rows: [worker] } = await client.query<{ name: string, ids: string[] }>(`
    select s.nodename || ':1' as name, array_agg(w.id::text) as ids from workspace w
      join citus_shards s on s.shardid = get_shard_id_for_distribution_column('workspace', w.id)
    group by s.nodename, s.nodeport order by s.nodeport limit 1`)
  const lost = new Set(worker?.ids)
  // Nothing listens there.
  await client.query(`update pg_dist_node set nodeport = 1
    where nodeport = (select min(nodeport) from pg_dist_node where groupid <> 0)`)
  const divided = openServer(url, { max: 2, onError: () => undefined, queryTimeoutMs: 600_000 })
  t.teardown(() => divided.close())
  const found = await findWorkers(divided.db, () => undefined)
  t.same(await found?.listUnreachable(), [worker?.name])
  const { rows: own, asked = [] } = await listOwn(divided.db)
  t.same(own.map(({ id }) => id).toSorted(), [...asked].toSorted())
  t.equal(own.length, 40 - lost.size)
  t.notOk(own.some(({ id }) => lost.has(id)))
  const tables = new Set((await listTables(divided.db)).map((table) => table.name))
  const still: string[] = []
  let count = 0
  for (const one of listStatements()) {
    const isSweep = (await breachesOf(one.statement, tables)).includes('workspace')
    if (!isSweep || !await isRestricted(one.statement, tables)) continue
    count++
    const reason = await replay(client, one, asked.join(','))
    if (reason !== undefined) still.push(`${one.sentBy}: ${reason}: ${one.statement}`)
  }
  await client.end()
  t.same(still, [], 'a sweep of the living worker\'s workspaces asks the dead one')
  t.ok(count > 20, `${count} sweeps`)
})
