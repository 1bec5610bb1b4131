import { createHash } from 'node:crypto'
import { listOpenChannels, type ChannelRow } from '../../../db/channels/channels.js'
import { claimLook, settleLook } from '../../../db/channels/clicks.js'
import { endQuestion, insertDeliveries, listOpen, type NewDelivery } from '../../../db/channels/deliveries.js'
import type { WorkKey } from '../../../db/durable/leases.js'
import { listSpentToday } from '../../../db/model-spend.js'
import { hasRoleOn } from '../../../lib/access/require-access.js'
import { listNames } from '../../../lib/account/people.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import {
  listEndedRuns, listFailedBuilds, listFailedDeployments, listReviewNotices
} from '../../../lib/notices/ended.js'
import type { ChannelEvent } from '../../../schemas/channels/channels.js'
import { listToDecide, principalOf, readQuestion } from './as-person.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'

/** What has the same parts has the same id: each channel is notified of it once. */
export const idOf = (...parts: readonly string[]): string => {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
}

/** What happens once a day has one id. */
export const dayId = (what: string, whose: string, day: string): string => idOf(what, whose, day)

/** The name of the job that looks for events in all workspaces. */
export const eventsSweep = 'channels.sweep-events'

/** How often a process looks, where there are channels. */
export const lookMs = 5_000

/** Longer than a transaction may take: what it wrote with an earlier time is found all the same. */
const overlapMs = 300_000
/** Of what one may spend, from which on the budget is low. */
const lowShare = 0.8

interface Ended {
  id: string
  user_id: string | null
  finished_at: Date
  status: string
  facts: NewDelivery['facts']
}

/** @returns what goes to each channel of the person that hears of it, and that was there when it happened */
const deliveriesOf = (channels: readonly ChannelRow[], event: ChannelEvent, ended: readonly Ended[]): NewDelivery[] =>
  ended.flatMap(({ id, user_id: person, finished_at: at, status, facts }) => channels
    .filter((channel) => channel.user_id === person && channel.events.includes(event) && channel.created_at <= at)
    .map((channel) => ({
      channel_id: channel.id, user_id: channel.user_id, event, subject_id: id, facts, wanted: status
    })))

const peopleOf = (channels: readonly ChannelRow[], event: ChannelEvent): string[] =>
  [...new Set(channels.filter(({ events }) => events.includes(event)).map(({ user_id: id }) => id))]

const findRuns = async ({ db }: Deps, workspaceId: string, channels: ChannelRow[], since: Date) => {
  const people = peopleOf(channels, 'run_ended')
  if (people.length === 0) return []
  const runs = await listEndedRuns(db, workspaceId, people, since)
  return deliveriesOf(channels, 'run_ended', runs.map((run) => ({
    ...run, facts: { title: `Your run ended: ${run.title ?? 'chat'} (${run.status})`, path: `/chat/${run.session_id}` }
  })))
}

/** @returns the page of a service's deployments: its id is that of its parts */
const servicePage = (of: { account_id: string, region: string, cluster: string, service: string }): string =>
  `/services/${encodeURIComponent([of.account_id, of.region, of.cluster, of.service].join('~'))}/deployments`

const findFailures = async ({ db }: Deps, workspaceId: string, channels: ChannelRow[], since: Date) => {
  const people = peopleOf(channels, 'deployment_failed')
  if (people.length === 0) return []
  const [builds, deployments] = await Promise.all([listFailedBuilds(db, workspaceId, people, since),
    listFailedDeployments(db, workspaceId, people, since)])
  return deliveriesOf(channels, 'deployment_failed', [
    ...builds.map((build) => ({
      ...build,
      facts: {
        title: `Build ${build.number} of ${build.name} failed`,
        detail: build.status_reason ?? build.status,
        path: `/apps/${build.app_id}/builds/${build.id}`
      }
    })),
    ...deployments.map((one) => ({
      ...one,
      facts: {
        title: `The deployment of ${one.service} failed`,
        detail: one.status_reason ?? one.status,
        path: servicePage(one)
      }
    }))
  ])
}

const reviewTitles = {
  assigned: (title: string) => `You were asked to review “${title}”`,
  in_review: (title: string) => `“${title}” waits for your review`,
  approved_by_other: (title: string, by: string) => `${by} approved “${title}”, which you were to review`
} as const

/** @returns what reviewers hear, if they still see the text */
const findReviews = async (deps: Deps, workspaceId: string, channels: ChannelRow[], since: Date) => {
  const people = peopleOf(channels, 'review')
  const notices = people.length === 0 ? [] : await listReviewNotices(deps.db, workspaceId, people, since)
  if (notices.length === 0) return []
  const names = await listNames(deps.db, workspaceId, notices.map(({ caused_by: by }) => by))
  const found: Ended[] = []
  for (const { id, user_id, kind, title, version, content_id, project_id, created_at, caused_by } of notices) {
    const principal = await principalOf(deps, workspaceId, user_id)
    if (!principal || !hasRoleOn(principal, 'viewer', { project_id })) continue
    const by = names.get(caused_by) ?? 'Somebody'
    const facts = {
      title: reviewTitles[kind](title, by), detail: `Version ${version}; by ${by}`, path: `/content/${content_id}`
    }
    found.push({ id, user_id, finished_at: created_at, status: kind, facts })
  }
  return deliveriesOf(channels, 'review', found)
}

const findLowBudgets = async (deps: Deps, workspaceId: string, channels: ChannelRow[], at: Date) => {
  const people = peopleOf(channels, 'budget_low')
  if (people.length === 0) return []
  const limit = deps.workspaces.limitsOf(workspaceId).budget_user_day_usd
  const spent = await listSpentToday(deps.db, workspaceId, people)
  return deliveriesOf(channels, 'budget_low', people.flatMap((userId, index) => {
    const usd = (spent[index] ?? 0) / 1_000_000
    if (limit <= 0 || usd < limit * lowShare) return []
    const title = `The model has cost $${usd.toFixed(2)} of your $${limit.toFixed(2)} today`
    const id = dayId('budget_low', userId, at.toISOString().slice(0, 10))
    return [{ id, user_id: userId, finished_at: at, status: 'low', facts: { title } }]
  }))
}

/** @returns what is new, and which questions each person may decide */
const findAsked = async (deps: Deps, workspaceId: string, channels: ChannelRow[], at: Date) => {
  const asked: NewDelivery[] = []
  const waiting = new Set<string>()
  for (const userId of peopleOf(channels, 'asked')) {
    const principal = await principalOf(deps, workspaceId, userId)
    const questions = principal ? await listToDecide(deps, principal) : []
    for (const { id } of questions) waiting.add(`${userId}|${id}`)
    asked.push(...deliveriesOf(channels, 'asked', questions.map(({ id }) =>
      ({ id, user_id: userId, finished_at: at, status: 'pending', facts: {} }))))
  }
  return { asked, waiting }
}

/** The question says itself what became of it. @returns what is to be sent */
const findDecided = async (deps: Deps, workspaceId: string, waiting: ReadonlySet<string>): Promise<WorkKey[]> => {
  const keys: WorkKey[] = []
  for (const { user_id: userId, subject_id: id } of await listOpen(deps.db, workspaceId)) {
    if (waiting.has(`${userId}|${id}`)) continue
    const principal = await principalOf(deps, workspaceId, userId)
    const question = principal && await readQuestion(deps, principal, id)
    if (question?.status !== 'pending') {
      keys.push(...await endQuestion(deps.db, workspaceId, id, userId, question?.status ?? 'gone'))
    }
  }
  return keys
}

/**
 * Finds what people are to hear, and has it sent. What was found before changes nothing: a row says that a channel
 * was notified. So nothing is lost by a process that ends on the way.
 */
export const findEvents = async (deps: Deps, workspaceId: string, always = false): Promise<void> => {
  const look = await claimLook(deps.db, workspaceId, always)
  if (!look) return
  const channels = await listOpenChannels(deps.db, workspaceId)
  const since = new Date(look.since.getTime() - overlapMs)
  const { asked, waiting } = await findAsked(deps, workspaceId, channels, look.at)
  const found = [
    ...asked,
    ...await findRuns(deps, workspaceId, channels, since),
    ...await findFailures(deps, workspaceId, channels, since),
    ...await findReviews(deps, workspaceId, channels, since),
    ...await findLowBudgets(deps, workspaceId, channels, look.at)
  ]
  const made = await insertDeliveries(deps.db, workspaceId, found)
  const keys = [...made, ...await findDecided(deps, workspaceId, waiting)]
  await settleLook(deps.db, workspaceId, look.at)
  for (const key of keys) await enqueueDue(deps, deliveryKind, key)
}
