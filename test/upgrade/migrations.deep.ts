import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import t from '../tap.js'
import { isContraction, migrationNames } from '../../db/migrate.js'
import { lastRelease, listLast, readLast } from '../last-release.js'
import { compareCatalogs, readCatalog } from './catalog.js'
import { listLocked, locksOf } from './locks.js'
import { explainAll, statementsIn } from './statements.js'

/**
 * Instances of the last release run beside this one on its schema, and go on when it is taken back. So a migration
 * only adds. It takes away in the release after, when nothing uses it any more, and its name says so: `…-contract`.
 */

/** Migrations that hold up the writes of a table for as long as they read it, and why that is short. */
const shortLocks: Record<string, string> = {}

const lite = await PGlite.create()
t.teardown(() => lite.close())
const ran: string[] = []
const db = new Kysely<unknown>({
  dialect: new PGliteDialect({ pglite: lite }), log: ({ query }) => { ran.push(query.sql) }
})
const run = async (name: string): Promise<void> => {
  const { href } = pathToFileURL(join(process.cwd(), 'dist', 'db', 'migrations', `${name}.js`))
  const { up } = await import(href) as Migration
  await up(db)
}

const names = await migrationNames()
const before = new Set(listLast('db/migrations').map((path) => path.replace(/^.*\/|\.ts$/g, '')))
for (const name of names) if (before.has(name)) await run(name)
await lite.exec('begin')
const recorded = statementsIn(readLast('test/db/queries.snapshot.sql'))
// Of some the types of the parameters are known only with their values.
const unplanned = await explainAll(lite, recorded)
const statements = recorded.filter((statement) => !unplanned.has(statement))
await lite.exec('rollback')

/** @returns what is wrong with changes of the schema; they are undone unless they stay */
const judge = async (name: string, change: () => Promise<unknown>, stays = false): Promise<string[]> => {
  await lite.exec('begin')
  const was = await readCatalog(lite)
  ran.length = 0
  await change()
  const changes = [...ran]
  const locked = await listLocked(lite, was)
  const failed = [...await explainAll(lite, statements)]
  const complaints = compareCatalogs(was, await readCatalog(lite))
  await lite.exec(stays ? 'commit' : 'rollback')
  const tables = new Set([...was.columns.keys()].map((column) => column.replace(/\..*/, '')))
  return [
    ...failed.map(([statement, why]) => `${why}: ${statement.slice(0, 80)}`),
    ...(locked.length > 1 ? [`locks ${locked.join(' and ')} in one transaction`] : []),
    ...(isContraction(name) ? complaints.filter((one) => !one.endsWith(' is gone')) : complaints),
    ...(shortLocks[name] === undefined ? changes.flatMap((statement) => locksOf(statement, tables)) : [])
  ]
}

t.test(`release ${lastRelease.slice(0, 12)} lives with every migration that is new`, async (t) => {
  t.comment(`${statements.length} statements; no plan without values of ${unplanned.size}`)
  t.ok(statements.length > 20 * unplanned.size)
  t.same([...before].filter((name) => !names.includes(name)), [], 'no migration is gone')
  for (const name of names) if (!before.has(name)) t.same(await judge(name, () => run(name), true), [], name)
})

const bad: [change: string, complaint: RegExp][] = [
  ['alter table account_token drop column scopes', /column "?token.scopes"? does not exist|account_token.scopes is gone/],
  ['alter table account_token rename to token', /"account_token" does not exist/],
  ['alter table account_token rename column scopes to rights', /account_token.scopes is gone/],
  ['drop table content_publication cascade', /"content_publication" does not exist/],
  ['drop function if exists steward_timeline cascade; alter table account_user add column nick text not null',
    /account_user.nick may not be null any more/],
  ['alter table account_user alter column email set not null', /account_user.email may not be null|looks for null of/],
  ['alter table account_user alter column created_at drop default', /account_user.created_at has no default any more/],
  ['alter table account_user add constraint named check (name <> \'\')', /account_user named is new: CHECK/],
  ['create unique index account_user_name on account_user (name)', /account_user_name is new/],
  ['alter table idempotency_key drop constraint idempotency_key_pkey', /no unique or exclusion constraint/],
  ['alter table account_user alter column name type varchar(20)', /account_user.name was text and is character varying/],
  ['alter table account_user add column a text; alter table account_link add column b text',
    /locks account_link and account_user in one transaction/],
  ['create index agent_run_born on agent_run (created_at)', /makes an index of agent_run/],
  ['alter table agent_run add constraint born check (created_at is not null)', /adds a constraint of agent_run/]
]

for (const [change, complaint] of bad) {
  t.test(`refused: ${change}`, async (t) => {
    const complaints = await judge('9999-bad', async () => {
      ran.push(...change.split('; '))
      await lite.exec(change)
    })
    t.ok(complaints.some((one) => complaint.test(one)), complaints.join('\n'))
  })
}

t.test('what takes away says so by its name, and only what the last release does not use', async (t) => {
  const add = () => lite.exec('create table left_behind (id uuid); alter table account_user add column unused text')
  await lite.exec('begin')
  await add()
  await lite.exec('commit')
  const drop = () => lite.exec('drop table left_behind; alter table account_user drop column unused')
  t.same((await judge('9999-unused', drop)).toSorted(), ['account_user.unused is gone', 'left_behind.id is gone'])
  t.same(await judge('9999-unused-contract', drop), [])
  t.not((await judge('9999-used-contract', () => lite.exec('drop table account_token'))).length, 0)
})
