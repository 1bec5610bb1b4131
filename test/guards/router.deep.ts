import t from '../tap.js'
import { listStatements } from '../db/snapshot.js'
import { breachesOf, isRestricted, rules, type Rule } from './router-rules.js'
import { listSources, read } from './sources.js'

const migrations = listSources('db/migrations').map(read).join('\n')
const tables = new Set([...migrations.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, name = '']) => name))

/** Foreign keys, as the migrations make them: no key was taken away so far. */
const parents = new Map<string, Set<string>>()
for (const [, name = '', rest = ''] of migrations.matchAll(
  /\b(?:create|alter) table (?:if not exists )?(\w+)([^`]*)/g)) {
  const known = parents.get(name) ?? new Set()
  for (const [, parent = ''] of rest.matchAll(/\breferences (\w+)/g)) known.add(parent)
  parents.set(name, known)
}

/** Statements that look over all workspaces, and why; each is a read, or deletes what no one reads any more. */
const sweeps: Record<string, string> = {
  'db/account/workspace.ts findOrCreateWorkspace': 'a start looks which workspaces there are',
  'db/account/workspaces.ts findTakenHost': 'a host is of one workspace of the installation',
  'db/account/workspaces.ts listOwn': 'kept by each process, which finds the workspace of a request, and its limits',
  'db/account/workspaces.ts keepFreeHosts': 'a host is of one workspace of the installation',
  'db/account/workspaces.ts listWorkspaces': 'the installation\'s list of workspaces',
  'db/account/assistants.ts deleteOldAssistants': 'keys; each workspace is emptied of them by itself',
  'db/account/oauth-clients.ts deleteOldStates': 'deletes what nothing finds any more',
  'db/agent/confirmations.ts findExpired': 'keys, and when the next one expires; each is expired by itself',
  'db/agent/runs.ts readPending': 'a metric of the installation',
  'db/agent/retention.ts compactStreams': 'whose runs have ended; each workspace is done by itself',
  'db/agent/retention.ts purgeSessions': 'keys; each session is purged by itself',
  'db/agent/attachments.ts deleteUnused': 'deletes what no message has',
  'db/agent/queue.ts dueMessages.listLate': 'keys; each has a job of its own',
  'db/agent/runs.ts runLeases.findClaimable': 'keys, and when the next lease lapses; each is claimed by itself',
  'db/channels/channels.ts linkByCode': 'a code of Slack names no workspace; the row that has it is changed by itself',
  'db/channels/channels.ts listDueDigests': 'keys; each digest is moved by itself',
  'db/channels/clicks.ts dueClicks.listLate': 'keys; each has a job of its own',
  'db/channels/deliveries.ts deleteOldDeliveries': 'deletes what is too old to be read',
  'db/channels/deliveries.ts dueDeliveries.listLate': 'keys; each has a job of its own',
  'db/channels/clicks.ts listToLook': 'keys; each workspace is looked at by itself',
  'db/codehost/receipts.ts dueReceipts.claim': 'whose receipts are due; they are claimed by workspace',
  'db/codehost/receipts.ts giveUpReceipts': 'what is due after its last attempt, which no one else changes',
  'db/codehost/receipts.ts deleteOldReceipts': 'deletes what is too old to be read',
  'db/codehost/repositories.ts listHooked': 'keys; each repository is looked at by itself',
  'db/content/contents.ts purgeDeleted': 'deletes what cannot come back',
  'db/content/generation-progress.ts generationLeases.findClaimable': 'as of runs',
  'db/content/publications.ts countOverdue': 'a metric of the installation',
  'db/content/publications.ts duePublications.listLate': 'keys; each has a job of its own',
  'db/agent/firings.ts dueFirings.listLate': 'the same',
  'db/agent/triggers.ts dueTriggers.listLate': 'the same',
  'db/schema-tables.ts listSettled': 'keys; each workspace is emptied by itself',
  'db/deployments/apps.ts purgeApps': 'keys; each workspace is purged by itself',
  'db/deployments/leases.ts buildLeases.findClaimable': 'as of runs',
  'db/encrypted-columns.ts listEncryptedCells': 'after a change of key; each cell is written by itself',
  'db/idempotency.ts deleteOldKeys': 'deletes what no request refers to',
  'db/infrastructure/service-deployments.ts dueDeployments.listLate': 'keys; each has a job of its own',
  'db/pse/progress.ts generationLeases.findClaimable': 'as of runs',
  'db/pse/sessions.ts purgeSessions': 'keys; each workspace is purged by itself',
  'db/record/chain.ts listToNumber': 'keys; each workspace is numbered by itself',
  'db/record/chain.ts listToSign': 'keys; each workspace is signed by itself',
  'db/record/destinations.ts dueDestinations.listLate': 'keys; each has a job of its own',
  'db/rate-windows.ts deleteOldWindows': 'deletes what no request counts'
}

t.test('every statement goes to the one server that has its workspace', async (t) => {
  const broken: string[] = []
  const needed = new Set<string>()
  let count = 0
  for (const { sentBy, statement } of listStatements()) {
    count++
    for (const rule of await breachesOf(statement, tables, parents)) {
      if (rule === 'workspace' && sentBy in sweeps) needed.add(sentBy)
      else broken.push(`${sentBy}: ${rule}, ${rules[rule]}: ${statement}`)
    }
  }
  t.same(broken, [])
  t.same(Object.keys(sweeps).filter((sentBy) => !needed.has(sentBy)), [], 'a sweep that is none any more')
  t.ok(count > 400, `${count} statements`)
  t.ok(parents.get('agent_trigger_alert')?.has('agent_trigger_firing'), 'the foreign keys are known')
  t.ok([...parents.values()].filter((known) => known.size > 0).length > 60)
})

/** They look at what must hold for all workspaces, or a person asks: without one server there is no answer. */
const whole = ['db/account/workspaces.ts findTakenHost', 'db/account/workspaces.ts keepFreeHosts',
  'db/account/workspaces.ts listWorkspaces', 'db/encrypted-columns.ts listEncryptedCells']

t.test('a sweep goes on without a server that is dead: for the workspaces of the others', async (t) => {
  const restricted = new Set<string>()
  for (const { sentBy, statement } of listStatements()) {
    const isSweep = (await breachesOf(statement, tables)).includes('workspace')
    if (isSweep && await isRestricted(statement, tables)) restricted.add(sentBy)
  }
  t.same(Object.keys(sweeps).filter((sentBy) => !restricted.has(sentBy)), whole)
})

t.test('of a restricted sweep each query names the workspaces itself', async (t) => {
  const ids = 'any($1::uuid[])'
  t.ok(await isRestricted(`select id from content where status = 'x' and (true and workspace_id = ${ids})`, tables))
  for (const statement of ['select id from content',
    `select w.id from workspace w where w.id = ${ids} and exists (select from content c where c.workspace_id = w.id)`,
    `select c.id from content c join content_version v on v.workspace_id = c.workspace_id
      where c.workspace_id = ${ids}`,
    `delete from content where id in (select id from content where workspace_id = ${ids})`]) {
    t.notOk(await isRestricted(statement, tables), statement)
  }
})

const a = 'workspace_id = $1'
const cases: [statement: string, ...broken: Rule[]][] = [
  [`select id from content where ${a} and created_at < now()`],
  [`select coalesce(expires_at > now(), false) from content where ${a}`],
  [`select id from content where ${a} for update skip locked`],
  ['select c.id from content c join content_version v on v.workspace_id = c.workspace_id where c.workspace_id = $1'],
  [`update content set updated_at = now(), deleted_at = least(deleted_at, now()) where ${a}`],
  [`update content set updated_at = now() where (${a}::uuid or $2::boolean) and id = $3 returning id`],
  ['insert into content (id, workspace_id, created_at) values ($1, $2, now()) returning created_at'],
  [`insert into content (workspace_id, n) select workspace_id, count(*) from content_version where ${a} group by 1`],
  ['insert into content (workspace_id) values ($1) on conflict (workspace_id) do update set at = excluded.at'],
  [`with gone as (delete from content where ${a} returning id) delete from stream_event e using gone
    where e.workspace_id = $1 and e.stream_id = gone.id`],
  ['select pg_advisory_xact_lock($1)'],
  ['select name from jobs.job for update skip locked'],
  ['update workspace set name = $1 where id = $2'],

  [`with v as (insert into content (id, workspace_id) values ($2, $1) returning id)
    insert into content_version (workspace_id, content_id) select $1, id from v`],
  [`with v as (insert into content_version (workspace_id, content_id) values ($1, $2) returning content_id)
    insert into content (workspace_id, id) select $1, content_id from v`, 'child first'],
  [`with v as (insert into content_version (workspace_id, content_id) values ($1, $2)),
    c as (insert into content (workspace_id, id) values ($1, $2)) select 1`, 'child first'],
  [`select clock_timestamp() from content where ${a}`, 'volatile'],
  [`update content set id = gen_random_uuid() where ${a}`, 'volatile'],
  [`update content set at = coalesce(at, now()) where ${a}`, 'clock in a choice'],
  [`update content set at = case when id = $2 then current_timestamp end where ${a}`, 'clock in a choice'],
  [`delete from content where ${a} and coalesce(until < statement_timestamp(), true)`, 'clock in a choice'],
  ['insert into content (workspace_id) values ($1) on conflict (workspace_id) do update set at = now()',
    'clock in a conflict'],
  [`insert into content (workspace_id) values ($1) on conflict (workspace_id) do update set n = 1
    where content.at < now() - interval '1 minute'`, 'clock in a conflict'],
  [`update content set n = 1 where ${a} returning until < now()`, 'clock in returning'],
  ['insert into content (workspace_id) values ($1) returning now()', 'clock in returning'],
  [`update content set status = case status when 'a' then 'b' else status end where ${a}`, 'case of a value'],
  [`update content set at = now() + make_interval(secs => attempts) where ${a}`, 'function of a column'],
  [`update content set data = json_build_object('id', id) where ${a}`, 'function of a column'],
  ['insert into content (workspace_id, n) values ($1, (select 1))', 'subquery in values'],
  ['select id from content where due < now() limit 5 for update skip locked', 'workspace', 'lock'],
  ['select id from content', 'workspace'],
  ['select id from content where workspace_id <> $1', 'workspace'],
  [`select id from content where ${a} or id = $2`, 'workspace'],
  ['update workspace set name = $1 where workspace_id = $2', 'workspace'],
  ['update content set n = 1 from due where content.workspace_id = due.workspace_id', 'workspace'],
  [`select (select count(*) from content_version v where v.workspace_id = c.workspace_id) from content c
    where c.workspace_id = $1`, 'workspace'],
  ['select c.id from content c join content_version v on v.content_id = c.id where c.workspace_id = $1', 'workspace'],
  [`with due as (select id from content) update content set n = 1 from due where ${a} and content.id = due.id`,
    'workspace'],
  [`select id from content where ${a} union all select id from content_version where id = $2`, 'workspace'],
  ["insert into content (workspace_id) values ('00000000-0000-7000-8000-000000000000')", 'workspace'],
  ['insert into content (workspace_id, id) select * from unnest($1::uuid[], $2::uuid[])', 'workspace']
]

t.test('the guard refuses what a Citus refuses or sends to all servers, of each kind, and nothing else', async (t) => {
  for (const [statement, ...broken] of cases) {
    t.same((await breachesOf(statement, tables, parents)).sort(), broken.sort(), statement)
  }
  t.same(Object.keys(rules).filter((rule) => !cases.some(([, ...broken]) => broken.some((one) => one === rule))), [])
})
