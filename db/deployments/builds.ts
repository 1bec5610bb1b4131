import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { AppBuilder } from '../../schemas/deployments/builders.js'
import type { AppTarget } from '../../schemas/deployments/apps.js'
import { liveStatuses, type BuildStatus, type BuildStep, type ExpectedTarget } from '../../schemas/deployments/builds.js'
import { count, next, json, milliseconds, number, object, time, word } from '../columns.js'
import type { Db } from '../index.js'
import type { Actor } from '../audit.js'
import { shaped } from '../shaped.js'
import type { Trigger } from './tables.js'

export const buildColumns = ['workspace_id', 'id', 'app_id', 'number', 'status', 'status_reason', 'trigger', 'ref',
  'commit', 'commit_message', 'requested_image', 'image', 'image_digest', 'target', 'template', 'builder', 'run', 'repo', 'actor',
  'principal', 'cancel_principal', 'deployment_id', 'deploy_attempt', 'rollback_of', 'superseded_by', 'expected', 'verified', 'steps',
  'log_seq', 'log_lines', 'log_bytes', 'log_truncated', 'attempts', 'lease_owner', 'lease_epoch', 'created_at',
  'started_at', 'finished_at'] as const

const ofApp = (db: Db, workspaceId: string, appId: string) =>
  db.selectFrom('deployment_build').select(buildColumns)
    .where('workspace_id', '=', workspaceId).where('app_id', '=', appId)

/** As `Build` describes it. */
const shown = object({
  id: word('id'),
  app_id: word('app_id'),
  number: number('number'),
  status: word('status'),
  status_reason: json('status_reason'),
  trigger: word('trigger'),
  ref: json('ref'),
  commit: json('commit'),
  commit_message: json('commit_message'),
  actor: json('actor'),
  image: json('image'),
  image_digest: json('image_digest'),
  builder: sql`coalesce(to_json(builder->>'kind')::text, 'null')`,
  run: sql`case when run is null then 'null' else json_build_object('id', run->'id', 'url', run->'url')::text end`,
  deployment_id: json('deployment_id'),
  rollback_of: json('rollback_of'),
  published: sql`case when status = 'succeeded' and target->>'kind' = 'lambda' and verified->>'version' is not null
    then json_build_object('function_id', target->'function_id', 'version', verified->'version')::text
    else 'null' end`,
  superseded_by: json('superseded_by'),
  steps: json('steps'),
  created_at: time('created_at'),
  started_at: time('started_at'),
  finished_at: time('finished_at'),
  duration_ms: sql`coalesce((${milliseconds('finished_at')} - ${milliseconds('started_at')})::text, 'null')`,
  log: object({ lines: number('log_lines'), bytes: number('log_bytes'), truncated: json('log_truncated') })
})

interface BuildSlice { workspaceId: string, appId: string, status?: BuildStatus, before?: number, limit: number }

const readPage = shaped((db, { workspaceId, appId, status, before, limit }: BuildSlice) =>
  db.selectFrom('deployment_build').select(['number', shown.as('item')])
    .where('workspace_id', '=', workspaceId).where('app_id', '=', appId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as BuildStatus))
    .$if(before !== undefined, (query) => query.where('number', '<', before as number))
    .orderBy('number', 'desc').limit(limit))

/** @returns the app's builds as JSON, newest first, after the number that a page ended with */
export const listBuilds = (db: Db, workspaceId: string, appId: string,
  slice: { status?: BuildStatus, before?: number, limit: number }) => readPage(db, { ...slice, workspaceId, appId })

/** @returns a build of an app that is not deleted */
export const findBuild = (db: Db, workspaceId: string, appId: string, id: string) =>
  ofApp(db, workspaceId, appId).where('id', '=', id)
    .where((where) => where.exists(where.selectFrom('deployment_app as a').select('a.id')
      .where('a.workspace_id', '=', workspaceId).where('a.id', '=', appId).where('a.deleted_at', 'is', null)))
    .executeTakeFirst()

export type BuildRow = NonNullable<Awaited<ReturnType<typeof findBuild>>>

/** The same, locked until the transaction ends. */
export const lockBuild = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('deployment_build').select(buildColumns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id).forUpdate().executeTakeFirst()

/** @returns a queued or running build that does what is asked for: the same commit, or the same unresolved ref */
export const findDuplicate = (db: Db, workspaceId: string, appId: string,
  input: { ref: string, commit: string | null, requested_image: string | null }) =>
  ofApp(db, workspaceId, appId).where('status', 'in', ['queued', 'running'])
    .where(sql<boolean>`commit is not distinct from ${input.commit}::text`)
    .where(sql<boolean>`(${input.commit}::text is not null or ref = ${input.ref})`)
    .where(sql<boolean>`requested_image is not distinct from ${input.requested_image}::text`)
    .orderBy('number', 'desc').limit(1).executeTakeFirst()

export const countLive = async (db: Db, workspaceId: string, appId: string,
  statuses: readonly BuildStatus[] = liveStatuses): Promise<number> => {
  const live = await db.selectFrom('deployment_build').select(count.as('count'))
    .where('workspace_id', '=', workspaceId).where('app_id', '=', appId)
    .where('status', 'in', statuses).executeTakeFirstOrThrow()
  return live.count
}

/** @returns the newest build of a push that waits behind the others */
export const findQueuedPush = (db: Db, workspaceId: string, appId: string) =>
  db.selectFrom('deployment_build').select(['id', 'number', 'commit'])
    .where('workspace_id', '=', workspaceId).where('app_id', '=', appId)
    .where('status', '=', 'queued').where('trigger', '=', 'push').orderBy('number', 'desc').limit(1).executeTakeFirst()

/** @returns the queued builds of pushes, locked: a newer push supersedes them */
export const lockQueuedPushes = (db: Db, workspaceId: string, appId: string) =>
  ofApp(db, workspaceId, appId).where('status', '=', 'queued').where('trigger', '=', 'push').forUpdate().execute()

export interface NewBuild {
  workspace_id: string
  app_id: string
  trigger: Trigger
  ref: string
  commit: string | null
  commit_message: string | null
  requested_image: string | null
  rollback_of: string | null
  target: AppTarget
  template: string | null
  builder: AppBuilder | null
  repo: string
  actor: string
  principal: Actor
  expected: ExpectedTarget | null
  steps: BuildStep[]
}

/** Adds a build under the next number of its app. In a transaction, under the app's lock. */
export const insertBuild = async (db: Db, build: NewBuild): Promise<BuildRow> => {
  const { number } = await db.updateTable('deployment_app').set({ next_number: next('next_number') })
    .where('workspace_id', '=', build.workspace_id).where('id', '=', build.app_id)
    .returning(sql<number>`next_number - 1`.as('number')).executeTakeFirstOrThrow()
  return db.insertInto('deployment_build').values({
    ...build,
    id: uuid(),
    number,
    status: 'queued',
    target: JSON.stringify(build.target),
    builder: build.builder && JSON.stringify(build.builder),
    principal: JSON.stringify(build.principal),
    expected: build.expected && JSON.stringify(build.expected),
    steps: JSON.stringify(build.steps)
  }).returning(buildColumns).executeTakeFirstOrThrow()
}

/**
 * Forgets the app's oldest ended builds and their records. The newest that succeeded stay however old they are: they
 * are what can be rolled back to.
 */
export const pruneBuilds = async (db: Db, workspaceId: string, appId: string, keep: number, keepGood: number) => {
  await sql`
    with kept as (
      (select id from deployment_build where workspace_id = ${workspaceId} and app_id = ${appId}
        order by number desc limit ${keep})
      union
      (select id from deployment_build where workspace_id = ${workspaceId} and app_id = ${appId}
        and status = 'succeeded' order by number desc limit ${keepGood})),
    gone as (
      delete from deployment_build where workspace_id = ${workspaceId} and app_id = ${appId}
        and finished_at is not null and id not in (select id from kept) returning id)
    delete from stream_event where workspace_id = ${workspaceId} and stream_id in (select id from gone)`.execute(db)
}
