import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { distribute } from '../../db/distribute.js'
import { openServer } from '../../db/index.js'
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

/** A value of a type, as it stands in a statement. */
const sampleOf = (type: string): string => {
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
const replay = async (client: pg.Client, { statement }: Shown): Promise<string | undefined> => {
  await client.query('begin')
  try {
    await client.query(`prepare one as ${statement}`)
    const { rows: [row] } = await client.query<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = 'one'")
    const values = row?.types.map(sampleOf).join(', ')
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

t.test('a real Citus takes every statement, after distribute and after distribute again', { skip }, async (t) => {
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
  await client.end()
  t.same(refused, [])
})
