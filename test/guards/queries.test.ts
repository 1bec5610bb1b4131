import t from '../tap.js'
import { importsOf, listSources, read } from './sources.js'

/** All that is served but db/. */
const folders = ['lib', 'plugins', 'routes', 'schemas', 'packages']
const outside = ['app.ts', 'server.ts', ...folders.flatMap(listSources)]

const migrations = listSources('db/migrations').map(read).join('\n')

const names = [...new Set([...migrations.matchAll(/\b(?:create (?:unique )?index|constraint) (?:if not exists )?(\w+)/g)]
  .map(([, name = '']) => name))]

t.test('statements are made in db/ alone', async (t) => {
  const wrong = outside.filter((file) => importsOf(file).some(({ to }) => /^kysely\b/.test(to)))
  t.same(wrong, [])
})

t.test('only db/ knows what an index or a constraint is called, and what the database calls its errors', async (t) => {
  t.ok(names.includes('agent_run_live') && names.length > 40, `${names.length} names`)
  const name = new RegExp(`['"\`](?:${names.join('|')})['"\`]|\\bconstraint\\?: string|'23\\d{3}'`)
  t.same(outside.filter((file) => name.test(read(file))), [])
})

/** What the tables of an area are called. Those of no area are everybody's: workspaces, streams, the audit. */
const tablesOf: Record<string, RegExp> = {
  account: /^account_/,
  agent: /^agent_/,
  channels: /^channel(?:_|$)/,
  cloud: /^cloud_/,
  codehost: /^codehost_/,
  content: /^content(?:_|$)/,
  deployments: /^deployment_/,
  infrastructure: /^service_deployment$/,
  pse: /^pse_/,
  record: /^audit_/,
  toolservers: /^tool_server/
}

/** Rights on an app are those on its account, by the account's environment too: lists and pages filter by it in SQL. */
const across: Record<string, string> = { 'db/deployments/apps.ts': 'cloud_account' }

t.test('the queries of an area name its own tables, and those that are everybody\'s', async (t) => {
  const areas = new Set(listSources('db').flatMap((file) => /^db\/(?!(?:migrations|durable)\/)([^/]+)\//.exec(file)?.[1] ?? []))
  t.same([...areas].sort(), Object.keys(tablesOf).sort(), 'every area says what its tables are called')
  const tables = new Set([...migrations.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, name]) => name))
  const ownerOf = (table: string) => Object.keys(tablesOf).find((area) => tablesOf[area]?.test(table))
  const wrong = read('test/db/queries.snapshot.sql').split(/^-- /m).flatMap((entry) => {
    const area = /^db\/(?!durable\/)([^/]+)\//.exec(entry)?.[1]
    return [...entry.matchAll(/\b(?:from|join|into|update|using)\s+"?(\w+)/g)].map(([, name = '']) => name)
      .filter((name) => area !== undefined && tables.has(name) && ![area, undefined].includes(ownerOf(name)))
      .filter((name) => across[entry.split(' ')[0] ?? ''] !== name)
      .map((name) => `${entry.split('\n')[0]}: ${name}`)
  })
  t.same(wrong, [])
  t.ok(tables.size > 40, `${tables.size} tables`)
})

/** Files with statements that are written as text, and why the builder does not write them. */
const byHand: Record<string, string> = {
  'db/shaped.ts': 'what the builder wrote is kept, and sent again',
  'db/statement.ts': 'makes the text of the hot ones once, and passes on the queue\'s own; a lock is a function that is called',
  'db/agent/commit-statement.ts': 'hot: all that a step of a run changes, in one statement',
  'db/agent/start-run.ts': 'hot: message, run, lease and audit of a chat, in one statement',
  'db/agent/tool-calls.ts': 'the same for a proposed call',
  'db/agent/firings.ts': 'alerts that are new are stored with their firing, in one statement',
  'db/agent/fork-session.ts': 'rows are copied where they are, with what is new',
  'db/agent/preferences.ts': 'hot: every chat reads them',
  'db/stream-events.ts': 'hot: rows of any number of streams, in one text',
  'db/rate-windows.ts': 'hot: counts of any number of principals, in one text',
  'db/unfinished-work.ts': 'reads a table of the queue, which the types of ours do not name; tables, states and ends are a list',
  'db/schema-tables.ts': 'tables and keys are those of the catalog, and functions those of Citus',
  'db/archived-tables.ts': 'reads the catalog',
  'db/archive-rows.ts': 'tables and columns are those of the catalog, and rows come by a cursor',
  'db/workers.ts': 'functions of Citus, and the catalogs of both',
  'db/migrate.ts': 'reads the table of the migrator, before there is any of ours',
  'db/codehost/receipts.ts': 'hot: a text for each number of receipts, made once',
  'db/durable/leases.ts': 'claims and leases, whose table is a parameter',
  'db/durable/due-rows.ts': 'the same for rows that are due',
  'db/agent/runs.ts': 'claims and leases of runs',
  'db/primary.ts': 'settings are a function that is called',
  'db/clock.ts': 'the same',
  'db/content/generation-progress.ts': 'a step is numbered by the rows that are there, in its own insert',
  'db/pse/progress.ts': 'the same',
  'db/agent/parked.ts': 'a lease ends by the database\'s clock, and the columns are those of every claim',
  'db/agent/retention.ts': 'joins stretches of text by windows over windows',
  'db/pse/sessions.ts': 'rows of two tables go at once; and sums over three',
  'db/deployments/apps.ts': 'rows of three tables go at once',
  'db/deployments/builds.ts': 'rows of two tables go at once, but for those of two unions',
  'db/encrypted-columns.ts': 'tables and columns are names from a list',
  'db/account/workspace.ts': 'a lock is a function that is called',
  'db/pse/standards.ts': 'the same',
  'db/record/chain.ts': 'entries come as one list, of any number, in one text'
}

t.test('a statement is written as text where the builder cannot say it as simply, with the reason', async (t) => {
  const texts = /`\s*\.execute\(|\bstatement<|CompiledQuery\.raw/
  const found = listSources('db').filter((file) => !file.startsWith('db/migrations/') && texts.test(read(file)))
  t.same(found.sort(), Object.keys(byHand).sort())
})
