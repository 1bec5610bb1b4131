import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Cron } from 'croner'
import {
  findOwnTrigger, insertTrigger, listTriggers, newTriggerId, updateTrigger, type NewTriggerRow, type TriggerChange,
  type TriggerRow
} from '../../../../db/agent/triggers.js'
import { readClock } from '../../../../db/clock.js'
import { callRoute, errorOf } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { CreateTrigger, Trigger, TriggerSource, UpdateTrigger } from '../../../../schemas/agent/triggers.js'
import { explainMiss, readIfMatch } from '../../../../schemas/revisions.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { TooManyTriggers, TriggerInvalid, TriggerNotFound, ScheduleInvalid } from '../errors.js'
import { storedPrincipal } from '../run/load-run.js'

/** When a schedule is due, in the words of its zone: 8:00 stays 8:00 when the clocks change. */
export interface Schedule { cron: string, time_zone: string }

const parse = ({ cron, time_zone: timezone }: Schedule): Cron =>
  // Paused: it only computes, and starts no timer.
  new Cron(cron, { timezone, mode: '5-part', paused: true })

const isZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** @returns the first time after this one; null when there is none any more */
export const nextTime = (schedule: Schedule, after: Date): Date | null => parse(schedule).nextRun(after)

const refuse = (pointer: string, message: string) =>
  ScheduleInvalid(message, { errors: [{ pointer, code: 'schedule_invalid', message }] })

/** The parser's own words speak of seconds and years, which a schedule has none of. */
const explain = (cron: string, error: unknown): string => {
  const fields = cron.trim().split(/\s+/).length
  if (fields !== 5) return `It needs five fields, and has ${fields}`
  return `It cannot be read: ${messageOf(error).replace(/^CronPattern: /, '')}`
}

/** @throws schedule_invalid, with a pointer to what cannot be read, or is never due */
const requireSchedule = (schedule: Schedule, after: Date): Date => {
  if (!isZone(schedule.time_zone)) throw refuse('/time_zone', `${schedule.time_zone} is no IANA time zone`)
  let next: Date | null
  try {
    next = nextTime(schedule, after)
  } catch (error) {
    throw refuse('/cron', explain(schedule.cron, error))
  }
  if (next === null) throw refuse('/cron', 'It is never due')
  return next
}

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'workspaces' | 'inject' | 'tickets'>

const maxTriggers = 50
/** When costs are looked at, unless the trigger has a schedule of its own: AWS has a day's costs a day later. */
const costSchedule = { cron: '0 9 * * *', time_zone: 'UTC' }
const defaults = { budget_usd: 0.5, runs_a_day: 20 }

const secretContext = (id: string): string => `agent_trigger|${id}|secret`

/** @returns the secret with which the trigger's events are signed */
export const secretOf = ({ secrets }: Pick<Deps, 'secrets'>, { id, secret }: TriggerRow): string | undefined =>
  secret === null ? undefined : secrets.decrypt(secretContext(id), secret)

const invalid = (pointer: string, message: string) =>
  TriggerInvalid(message, { errors: [{ pointer, code: 'trigger_invalid', message }] })

const isBase64Secret = (secret: string): boolean =>
  /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)

/** What each kind takes; everything else of it is refused, so that nothing looks as if it had an effect. */
const fieldsOf = {
  schedule: ['cron', 'time_zone'],
  webhook: ['source', 'secret', 'topic_arn'],
  build_failed: ['app_id'],
  cost_anomaly: ['cron', 'time_zone', 'min_impact_usd']
} as const
const special = ['cron', 'time_zone', 'source', 'secret', 'topic_arn', 'app_id', 'min_impact_usd'] as const

type Special = Partial<Record<typeof special[number], unknown>>

const requireFields = (kind: Trigger['kind'], source: TriggerSource | null, given: Special): void => {
  const known: readonly string[] = fieldsOf[kind]
  const foreign = special.find((field) => given[field] !== undefined && !known.includes(field))
  if (foreign !== undefined) throw invalid(`/${foreign}`, `A trigger of the kind ${kind} has none`)
  if (given.topic_arn !== undefined && source !== 'sns') throw invalid('/topic_arn', 'Only the source sns has one')
  if (given.secret !== undefined && source === 'sns') throw invalid('/secret', 'SNS signs with a certificate of AWS')
  if (source === 'generic' && given.secret !== undefined && !isBase64Secret(String(given.secret))) {
    throw invalid('/secret', 'It begins with whsec_ and goes on with at least 24 bytes in base64')
  }
}

const requireWhole = ({ kind, source, cron, topic_arn, secret }: CreateTrigger): void => {
  if (kind === 'schedule' && cron === undefined) throw invalid('/cron', 'A schedule needs one')
  if (kind !== 'webhook') return
  if (source === undefined) throw invalid('/source', 'A webhook needs one')
  if (source === 'sns' && topic_arn === undefined) throw invalid('/topic_arn', 'The source sns needs one')
  if (source === 'pagerduty' && secret === undefined) {
    throw invalid('/secret', 'PagerDuty makes the secret: give the one that it shows')
  }
}

const newSecret = ({ kind, source, secret }: CreateTrigger): string | null => {
  if (kind !== 'webhook' || source === 'sns' || secret !== undefined) return null
  return source === 'generic' ? `whsec_${randomBytes(24).toString('base64')}` : randomBytes(24).toString('base64url')
}

const scheduleOf = ({ kind, cron, time_zone }: CreateTrigger) => {
  if (kind === 'schedule') return { cron: cron ?? '', time_zone: time_zone ?? 'UTC' }
  if (kind !== 'cost_anomaly') return undefined
  return { cron: cron ?? costSchedule.cron, time_zone: time_zone ?? costSchedule.time_zone }
}

const toMicros = (usd: number): number => Math.round(usd * 1_000_000)

const toRow = async (deps: Deps, principal: Principal, body: CreateTrigger, made: string | null):
Promise<NewTriggerRow> => {
  const id = newTriggerId()
  const schedule = scheduleOf(body)
  const secret = body.secret ?? made
  return {
    id,
    user_id: principal.user_id,
    principal: JSON.stringify(storedPrincipal(principal)),
    kind: body.kind,
    name: body.name,
    question: body.question,
    cron: schedule?.cron ?? null,
    time_zone: schedule?.time_zone ?? null,
    source: body.source ?? null,
    topic_arn: body.topic_arn ?? null,
    app_id: body.app_id ?? null,
    min_impact_usd: body.min_impact_usd ?? null,
    secret: secret === null ? null : deps.secrets.encrypt(secretContext(id), secret),
    off_reason: null,
    budget_usd_micros: toMicros(body.budget_usd ?? defaults.budget_usd),
    runs_a_day: body.runs_a_day ?? defaults.runs_a_day,
    next_at: schedule ? requireSchedule(schedule, await readClock(deps.db)) : null
  }
}

/** A trigger acts as its owner, so it waits for the builds of an app that they may see. */
const requireApp = async (deps: Deps, principal: Principal, appId: string | undefined): Promise<void> => {
  if (appId === undefined) return
  const answer = await callRoute(deps, principal, { url: `/deployments/apps/${appId}` })
  if (answer.status === 404) throw invalid('/app_id', 'You see no app with this id')
  if (answer.status >= 300) throw errorOf(answer)
}

/**
 * Makes a trigger whose runs act as this person.
 * @returns it, and the secret that was made for it
 * @throws trigger_invalid, schedule_invalid, too_many_triggers
 */
export const createTrigger = async (deps: Deps, principal: Principal, body: CreateTrigger):
Promise<{ row: TriggerRow, secret: string | null }> => {
  requireFields(body.kind, body.source ?? null, body)
  requireWhole(body)
  await requireApp(deps, principal, body.app_id)
  const { workspace_id, user_id } = principal
  const there = await listTriggers(deps.db, workspace_id, user_id, { before: undefined, limit: maxTriggers })
  if (there.length >= maxTriggers) throw TooManyTriggers(`There are ${maxTriggers}; delete one that is not needed`)
  const secret = newSecret(body)
  return { row: await insertTrigger(deps.db, workspace_id, await toRow(deps, principal, body, secret)), secret }
}

/** @throws trigger_not_found for one that is not there, or another person's */
export const requireTrigger = async ({ db }: Pick<Deps, 'db'>, { workspace_id, user_id }: Principal, id: string):
Promise<TriggerRow> => {
  const row = await findOwnTrigger(db, workspace_id, user_id, id)
  if (!row) throw TriggerNotFound()
  return row
}

/** @throws stale_revision */
export const requireTriggerRevision = (row: TriggerRow, ifMatch: string | undefined): void => {
  const accepted = readIfMatch(ifMatch)
  if (accepted && !accepted.includes(row.revision)) throw explainMiss({ revision: row.revision })
}

/** A trigger that is changed or turned on runs with the rights of who does that. */
const toChange = async (deps: Deps, row: TriggerRow, principal: Principal, body: UpdateTrigger):
Promise<TriggerChange> => {
  const { secret, budget_usd, cron, time_zone, enabled, ...rest } = body
  const schedule = row.cron === null
    ? undefined
    : { cron: cron ?? row.cron, time_zone: time_zone ?? row.time_zone ?? 'UTC' }
  const isMoved = schedule && (cron !== undefined || time_zone !== undefined || (enabled === true && !row.enabled))
  return {
    ...rest,
    principal: JSON.stringify(storedPrincipal(principal)),
    ...(enabled !== undefined && { enabled, off_reason: null }),
    ...(budget_usd !== undefined && { budget_usd_micros: toMicros(budget_usd) }),
    ...(secret !== undefined && { secret: deps.secrets.encrypt(secretContext(row.id), secret) }),
    ...(isMoved && { ...schedule, next_at: requireSchedule(schedule, await readClock(deps.db)) })
  }
}

/** @throws trigger_invalid, schedule_invalid, stale_revision */
export const changeTrigger = async (deps: Deps, row: TriggerRow, principal: Principal, body: UpdateTrigger):
Promise<TriggerRow> => {
  requireFields(row.kind, row.source, body)
  if (body.enabled === true && row.kind === 'webhook' && row.source !== 'sns' && !row.secret && !body.secret) {
    throw invalid('/secret', 'Its secret was lost: give another one')
  }
  const changed = await updateTrigger(deps.db, row, await toChange(deps, row, principal, body))
  if (!changed) throw explainMiss({ revision: row.revision + 1 })
  return changed
}

/** @returns the trigger as it is shown: never its secret */
export const describeTrigger = ({ workspaces }: Pick<Deps, 'workspaces'>, row: TriggerRow): Trigger => {
  const { workspace_id, user_id: _, principal: __, secret: ___, budget_usd_micros, ...shown } = row
  return {
    ...shown,
    budget_usd: budget_usd_micros / 1_000_000,
    events_url: row.kind === 'webhook'
      ? `${workspaces.originOf(workspace_id)}/api/v1/agent/triggers/${row.id}/events`
      : null
  }
}
