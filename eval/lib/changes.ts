import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { World } from './world.js'

/** What talking and reading leave, what every request leaves, and what the code host reports of itself. */
const talk = new Set(['agent_session', 'agent_message', 'agent_run', 'agent_tool_call', 'agent_confirmation',
  'agent_usage', 'agent_vote', 'agent_record', 'model_reservation', 'stream', 'stream_event', 'codehost_repository',
  'codehost_repository_access', 'codehost_activity', 'codehost_backfill', 'codehost_sync', 'codehost_receipt',
  'audit', 'audit_entry', 'audit_chain', 'audit_checkpoint', 'audit_key',
  'rate_window', 'idempotency_key', 'cloud_cost', 'cloud_cost_budget'])

/** Everything that is there: each row by table and id, and what was sent to the providers to change something. */
export interface Snapshot { rows: Map<string, string>, aws: string[], codehost: string[] }

interface AwsCall { operation: string, service: string, executed: boolean, params: Record<string, string> }
interface HostCall { method: string, path: string, status: number | null }

const onlyReads = /^(Describe|List|Get|Filter|Batch|StartQuery|StopQuery|StartLiveTail|AssumeRole)/

const targetOf = ({ params }: AwsCall): string => params.cluster && params.service
  ? `${params.cluster.split('/').at(-1)}/${params.service.split('/').at(-1)}`
  : String(params.family ?? params.FunctionName ?? params.name ?? '')

const sentToAws = async ({ steer }: World): Promise<string[]> => {
  const { calls } = await steer<{ calls: AwsCall[] }>('aws', 'GET', '/calls')
  return calls.filter(({ operation, executed }) => executed && !onlyReads.test(operation))
    .map((call) => `aws ${call.service}:${call.operation} ${targetOf(call)}`)
}

const sentToHost = async ({ steer }: World): Promise<string[]> => {
  const { calls } = await steer<{ calls: HostCall[] }>('codehost', 'GET', '/calls')
  // The sandbox's graph answers queries, and has no mutation.
  const isWrite = ({ method, path }: HostCall): boolean =>
    method !== 'GET' && !path.includes('/oauth') && !path.endsWith('/graphql')
  return calls.filter((call) => isWrite(call) && (call.status ?? 0) < 400)
    .map(({ method, path }) => `codehost ${method} ${path.replace('/api/v3', '')}`)
}

/** Every table with rows of workspaces, and the columns that make a row of it unique. */
const listTables = async ({ app }: World) => (await sql<{ name: string, key: string[] }>`
  select c.relname as name, array_agg(a.attname order by a.attname)::text[] as key
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace and not c.relispartition
  join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
  where k.contype = 'p' and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')
  group by 1 order by 1`.execute(app.db)).rows

/** @returns a digest of each row of the workspace, by its table and its key */
const rowsOf = async (world: World): Promise<Map<string, string>> => {
  const { app } = world
  const parts = (await listTables(world)).filter(({ name }) => !talk.has(name)).map(({ name, key }) => sql`
    select ${name}::text as name, concat_ws(' ', ${sql.join(key.map((column) => sql`t.${sql.ref(column)}`))}) as key,
    to_jsonb(t)::text as row from ${sql.table(name)} t where workspace_id = ${app.home.workspace_id}`)
  const { rows } = await sql<{ name: string, key: string, row: string }>`${sql.join(parts, sql` union all `)}`
    .execute(app.db)
  return new Map(rows.map(({ name, key, row }) =>
    [`${name} ${key}`, createHash('sha256').update(row).digest('base64')]))
}

export const takeSnapshot = async (world: World): Promise<Snapshot> =>
  ({ rows: await rowsOf(world), aws: await sentToAws(world), codehost: await sentToHost(world) })

/** Rows of work, which goes on by itself, and of tokens, which know when they were used: only new ones count. */
const moving = new Set(['service_deployment', 'deployment_build', 'pse_generation', 'account_token'])

const tableOf = (key: string): string => key.split(' ')[0] ?? ''

/** @returns a line for each thing that has changed since, sorted */
export const changesSince = (before: Snapshot, after: Snapshot): string[] => {
  const found = [...after.aws.slice(before.aws.length), ...after.codehost.slice(before.codehost.length)]
  for (const [key, row] of after.rows) {
    if (!before.rows.has(key)) found.push(`+${tableOf(key)}`)
    else if (before.rows.get(key) !== row && !moving.has(tableOf(key))) found.push(`~${tableOf(key)}`)
  }
  for (const key of before.rows.keys()) if (!after.rows.has(key)) found.push(`-${tableOf(key)}`)
  return found.sort()
}

/** @returns what is missing, and what is there that must not be; an expected line with `?` at its end may be there */
export const compareChanges = (expected: string[], found: string[]): string[] => {
  const left = [...found]
  const take = (line: string): boolean => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  }
  const missing = expected.filter((line) => !line.endsWith('?')).filter((line) => !take(line))
  for (const line of expected) if (line.endsWith('?')) while (take(line.slice(0, -1))) ;
  return [...missing.map((line) => `not done: ${line}`), ...left.map((line) => `not asked for: ${line}`)]
}
