import { Kysely, PostgresDialect, sql } from 'kysely'
import t from 'tap'
import { commitRun, type RunCommit } from '../../../db/agent/commit-run.js'
import type { Database } from '../../../db/types.js'
import { buildApp } from '../../app.js'

const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })

/** @returns the statement of such a commit, of a run that does not exist */
const textOf = async (change: RunCommit): Promise<string> => {
  const texts: string[] = []
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: app.database.pool }), log: ({ query }) => { texts.push(query.sql) }
  })
  const [workspace_id, run_id, session_id, user_id] =
    [app.home.workspace_id, app.home.workspace_id, app.home.workspace_id, app.home.admin_id]
  t.notOk(await commitRun(db, { workspace_id, run_id, session_id, user_id, epoch: 1 }, change))
  return texts[0] ?? ''
}

interface Plan { 'Index Name'?: string, 'Index Cond'?: string, Plans?: Plan[] }

const scansOf = ({ 'Index Name': name, 'Index Cond': condition, Plans: plans = [] }: Plan): string[] =>
  [...(name === undefined ? [] : [`${name} ${condition?.replace(/\$\d+/g, '?')}`]), ...plans.flatMap(scansOf)]

/** @returns the indexes that the kept plan of the statement reads, made while the tables are empty */
const keptPlanOf = (text: string): Promise<string[]> => app.db.connection().execute(async (db) => {
  await sql`set plan_cache_mode = force_generic_plan`.execute(db)
  await sql.raw(`prepare kept as ${text}`).execute(db)
  const nulls = Array.from({
    length: Number(text.match(/\$\d+/g)?.map((name) => name.slice(1)).toSorted(
      (a, b) => Number(b) - Number(a))[0])
  }, () => 'null')
  const { rows } = await sql.raw<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (format json) execute kept(${nulls.join(', ')})`).execute(db)
  await sql`deallocate kept`.execute(db)
  await sql`reset plan_cache_mode`.execute(db)
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap((entry) => scansOf(entry.Plan)).toSorted()
})

t.test('a step planned on empty tables read every call, live run and question of the workspace', async (t) => {
  const ending = {
    id: app.home.workspace_id,
    status: 'succeeded' as const,
    http_status: 200,
    result: null,
    result_model: '',
    truncated: false,
    is_error: false
  }
  const text = await textOf({ status: 'completed', position: 1, events: [], endings: [ending] })
  // A session has few calls; a key of more than the workspace is all that matters.
  t.same(await keptPlanOf(text), [
    'agent_confirmation_run ((workspace_id = ?) AND (run_id = ?))',
    'agent_run_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_session_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_tool_call_session ((workspace_id = ?) AND (session_id = ?))'
  ])
})
