import { readClock } from '../../../../db/clock.js'
import { findFiringOf, insertFiring, type Occurrence } from '../../../../db/agent/firings.js'
import {
  dueTriggers, listBuildTriggers, moveOn, secondsUntilDue, turnOff, type TriggerRow
} from '../../../../db/agent/triggers.js'
import type { Db } from '../../../../db/index.js'
import { enqueueDue, type DueKind } from '../../../../lib/durable/due-jobs.js'
import { bodyOf, callRoute, errorOf } from '../../../../lib/http/call-route.js'
import { CostReport, type CostAnomaly } from '../../../../schemas/cloud/costs.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { BuildFailure } from '../../../../schemas/deployments/build-failures.js'
import { nextTime } from './schedule.js'
import { actorOf, firingKind, type TriggerDeps } from './start-firing.js'

/** What sets a trigger off. */
export interface Cause {
  /** Names of what happened, which are stored for as long as the firing: what comes again starts nothing. */
  identities: readonly Occurrence[]
  title: string
  alert: unknown
  /** A name that was resolved before this time stands for something new when it comes again. */
  sentAt?: Date
}

/** @returns what has a name of its own, which never begins anew */
export const once = (identity: string): Occurrence[] => [{ identity, started_at: null }]

/** Stores the firing; its job begins the run. @returns undefined when it was here before */
export const fire = async (deps: TriggerDeps, { workspace_id, id }: Pick<TriggerRow, 'workspace_id' | 'id'>,
  cause: Cause, trx: Db = deps.db): Promise<string | undefined> =>
  insertFiring(trx, { workspace_id, trigger_id: id, ...cause })

export const beginSoon = (deps: TriggerDeps, { workspace_id }: Pick<TriggerRow, 'workspace_id'>, firingId: string) =>
  enqueueDue(deps, firingKind, { workspace_id, id: firingId })

/** Stores what set the trigger off and has its run begin. @returns the firing, also of what was here before */
export const fireSoon = async (deps: TriggerDeps, trigger: Pick<TriggerRow, 'workspace_id' | 'id'>, cause: Cause):
Promise<{ id: string | undefined, isNew: boolean }> => {
  const id = await fire(deps, trigger, cause)
  if (id !== undefined) {
    await beginSoon(deps, trigger, id)
    return { id, isNew: true }
  }
  const { workspace_id, id: trigger_id } = trigger
  return { id: await findFiringOf(deps.db, { workspace_id, trigger_id, ...cause }), isNew: false }
}

const anomalyCause = (anomaly: CostAnomaly): Cause => {
  const { id, service, impact } = anomaly
  return {
    identities: once(`anomaly:${id}`),
    title: `Cost anomaly: ${service ?? 'several services'}, ${impact.amount} ${impact.currency}`,
    alert: anomaly
  }
}

const daysBack = 7
const dayMs = 86_400_000

/**
 * Turns off what may not act any more.
 * @returns the unusual spending of the last days that is large enough; undefined when AWS did not answer that
 */
const readAnomalies = async (deps: TriggerDeps, trigger: TriggerRow, now: Date): Promise<Cause[] | undefined> => {
  const actor = await actorOf(deps, trigger)
  if (typeof actor === 'string') {
    await turnOff(deps.db, trigger, actor)
    return []
  }
  const from = new Date(now.getTime() - daysBack * dayMs).toISOString().slice(0, 10)
  const url = `/cloud/costs?anomalies=true&group_by=NONE&start_date=${from}&end_date=${now.toISOString().slice(0, 10)}`
  const { anomalies } = bodyOf(await callRoute(deps, actor, { url }), CostReport)
  const least = trigger.min_impact_usd ?? 0
  return anomalies?.filter(({ impact }) => Number(impact.amount) >= least).map(anomalyCause)
}

/** @returns what sets a due trigger off; undefined when that cannot be read now */
const causesOf = async (deps: TriggerDeps, trigger: TriggerRow, now: Date): Promise<Cause[] | undefined> => {
  if (trigger.kind === 'cost_anomaly') {
    return readAnomalies(deps, trigger, now).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      deps.log.warn({ trigger_id: trigger.id, reason: error.code }, 'costs could not be read')
      return undefined
    })
  }
  const due = trigger.next_at?.toISOString() ?? ''
  return [{ identities: once(`due:${due}`), title: trigger.name, alert: null }]
}

/** When costs that could not be read are read again. */
const againMs = 3_600_000

const timeAfter = ({ cron, time_zone }: TriggerRow, now: Date): Date | null =>
  cron === null ? null : nextTime({ cron, time_zone: time_zone ?? 'UTC' }, now)

/**
 * Fires a due trigger and moves it to its next time after now, in one transaction: times that were missed while no
 * process ran become one firing, and of several instances one writes it.
 */
const work = async (deps: TriggerDeps, trigger: TriggerRow): Promise<number | undefined> => {
  const now = await readClock(deps.db)
  const causes = await causesOf(deps, trigger, now)
  const next = causes ? timeAfter(trigger, now) : new Date(now.getTime() + againMs)
  const fired = await deps.db.transaction().execute(async (trx) => {
    if (!await moveOn(trx, trigger, next)) return []
    const ids: (string | undefined)[] = []
    for (const cause of causes ?? []) ids.push(await fire(deps, trigger, cause, trx))
    return ids
  })
  for (const id of fired) if (id !== undefined) await beginSoon(deps, trigger, id)
  return secondsUntilDue(deps.db, trigger)
}

/** How jobs look at triggers that are due by the clock. */
export const triggerKind: DueKind<TriggerRow, TriggerDeps> = {
  job: 'agent.trigger',
  sweepJob: 'agent.sweep-triggers',
  idName: 'trigger_id',
  rows: dueTriggers,
  run: work,
  untilDue: ({ db }, key) => secondsUntilDue(db, key)
}

/** Makes the job of a trigger that was made or changed, for its next time. */
export const scheduleTrigger = async (deps: TriggerDeps, trigger: TriggerRow): Promise<void> => {
  const seconds = await secondsUntilDue(deps.db, trigger)
  if (seconds !== undefined) await enqueueDue(deps, triggerKind, trigger, seconds)
}

/** @returns whether the owner of the trigger may see the app: the run would act and report as the owner */
const seesApp = async (deps: TriggerDeps, trigger: TriggerRow, appId: string): Promise<boolean> => {
  const actor = await actorOf(deps, trigger)
  if (typeof actor === 'string') {
    await turnOff(deps.db, trigger, actor)
    return false
  }
  const answer = await callRoute(deps, actor, { url: `/deployments/apps/${appId}` })
  if (answer.status === 429 || answer.status >= 500) throw errorOf(answer)
  return answer.status < 300
}

/** A build has failed: sets off the triggers that wait for that, of people who may see its app. */
export const takeBuildFailure = async (deps: TriggerDeps, failure: BuildFailure): Promise<void> => {
  const { workspace_id, app_id, build_id, number } = failure
  for (const trigger of await listBuildTriggers(deps.db, workspace_id, app_id)) {
    if (!await seesApp(deps, trigger, app_id)) continue
    await fireSoon(deps, trigger, {
      identities: once(`build:${build_id}`), title: `Build ${number} failed`, alert: { ...failure, workspace_id: undefined }
    })
  }
}
