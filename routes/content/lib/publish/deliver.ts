import { withSearchTitle } from 'steward-prose-engine/text'
import { lockContent } from '../../../../db/content/contents.js'
import {
  listPlacements, savePlacement, recompute, releaseImages, useImages
} from '../../../../db/content/placements.js'
import {
  duePublications, findPublication, settlePublication, type ClaimedPublication, type PublicationRow, type Settled
} from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { WorkKey } from '../../../../db/durable/leases.js'
import type { Db } from '../../../../db/index.js'
import type { DueKind } from '../../../../lib/durable/due-jobs.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { PublicationState } from '../../../../schemas/content/publications.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { brandOf } from '../brands/read-brand.js'
import { imagesIn } from '../images/images.js'
import type { Deps, Outcome } from '../targets/outcome.js'
import { openPull, openRemoval, watchPull } from '../targets/open-pull.js'
import { sendWebhook } from '../targets/send-webhook.js'
import { deliverToSite } from '../targets/site.js'
import { readContent } from '../texts/find-content.js'
import { isShown } from './show-renderings.js'

/** Lets strangers see the images of a text that goes out. */
const showImagesOf = async (db: Db, row: PublicationRow, content: Content): Promise<void> => {
  const ids = imagesIn(content)
  if (ids.length > 0) await useImages(db, row.workspace_id, content.project_id, ids, row)
}

const ends: readonly PublicationState[] = ['succeeded', 'failed', 'cancelled']

/** Hides again what a publication that has ended left nowhere: its own text, or that of the version before. */
export const hideImagesOf = async (db: Db, row: Pick<PublicationRow, 'workspace_id' | 'content_id' | 'target_id'>,
  state: PublicationState): Promise<void> => {
  if (ends.includes(state)) await releaseImages(db, row.workspace_id, row)
}

const misfireMs = 15 * 60_000
/** Pauses before the attempts after the first, in seconds; after the last attempt it has failed. */
const pauses = [5, 60, 300, 1_800, 7_200, 28_800]
const mergeDays = 30

const pauseOf = (row: PublicationRow, atLeast: number | undefined): number | undefined => {
  const pause = pauses[row.attempt_count]
  return pause === undefined ? undefined : Math.max(atLeast ?? 0, pause * (0.8 + Math.random() * 0.4))
}

/** @returns the record's post at the target when it was last live there */
const lastAt = async (deps: Deps, row: PublicationRow) =>
  (await listPlacements(deps.db, row.workspace_id, row.content_id))
    .find(({ target_id: id }) => id === row.target_id)?.external ?? null

const sendToSite = async (deps: Deps, row: PublicationRow, kind: 'wordpress' | 'ghost', target: StoredTarget,
  content: Content): Promise<Outcome> => {
  // The modules of sites load when one is needed.
  const open = async () => kind === 'wordpress'
    ? (await import('../targets/wordpress.js')).openWordpress(deps, row.workspace_id, target)
    : (await import('../targets/ghost.js')).openGhost(deps, row.workspace_id, target)
  return deliverToSite(open, row, content, await lastAt(deps, row))
}

const sendPosts = async (deps: Deps, row: PublicationRow, kind: 'mastodon' | 'bluesky', was: PublicationState,
  target: StoredTarget, content: Content): Promise<Outcome> => {
  const { deliverThread } = await import('../targets/deliver-thread.js')
  const open = async () => kind === 'mastodon'
    ? (await import('../targets/mastodon.js')).openMastodon(deps, row, target, content)
    : (await import('../targets/bluesky.js')).openBluesky(deps, row, target, content)
  return deliverThread(open, row, was, content, await lastAt(deps, row))
}

const pullStep = ({ action }: PublicationRow, was: PublicationState) => {
  if (was === 'awaiting_merge') return watchPull
  return action === 'unpublish' ? openRemoval : openPull
}

const send = async (deps: Deps, row: PublicationRow, was: PublicationState): Promise<Outcome> => {
  const record = await readContent(deps.db, row.workspace_id, row.content_id, row.version)
  const { settings } = await brandOf(deps.db, row.workspace_id, record.project_id)
  // A person may have withdrawn the approval, or approved a newer version, since it was scheduled.
  const isSent = was === 'unknown' || was === 'awaiting_merge'
  if (row.action !== 'unpublish' && !isSent && settings.approval.required &&
    record.approved_version !== row.version) {
    return { state: 'failed', error: 'version_not_approved', http_status: null }
  }
  const content = withSearchTitle(record, settings.seo)
  const target = settings.publish_targets.find(({ target_id: id }) => id === row.target_id)
  if (!target) return { state: 'failed', error: 'target_removed', http_status: null }
  // Only for publications that an earlier release scheduled: publish refuses such a version.
  if (row.action !== 'unpublish' && !await isShown(row.kind, content)) {
    return { state: 'failed', error: 'content_empty', http_status: null }
  }
  if (row.action !== 'unpublish') await showImagesOf(deps.db, row, content)
  const site = settings.seo.canonical_base
  if (row.kind === 'webhook') return sendWebhook(deps, row, target, content, site)
  if (row.kind === 'git_pr') return pullStep(row, was)(deps, row, target, content)
  if (row.kind === 'wordpress' || row.kind === 'ghost') return sendToSite(deps, row, row.kind, target, content)
  if (row.kind === 'mail') return (await import('../targets/mail.js')).sendMail(deps, row, was, target, content, site)
  if (row.kind === 'mastodon' || row.kind === 'bluesky') return sendPosts(deps, row, row.kind, was, target, content)
  // A person takes the text from its preview.
  if (row.kind === 'linkedin') return { state: 'succeeded', error: null, http_status: null }
  // A feed reads the placements: nothing is sent.
  const url = `/content/feeds/${content.project_id}.xml`
  const external = { id: `urn:content:${content.id}`, url, pr_number: null }
  return { state: 'succeeded', error: null, http_status: null, external }
}

const settledOf = (row: PublicationRow, outcome: Outcome, at: Date, was: PublicationState): Settled => {
  const { state, error, http_status, external, wait } = outcome
  const attempt = { at: at.toISOString(), http_status, error, duration_ms: Date.now() - at.getTime() }
  const base = { error, ...(external && { external }), ...(was !== 'awaiting_merge' && { attempt }) }
  if (state === 'awaiting_merge') {
    const isOld = Date.now() - row.created_at.getTime() > mergeDays * 86_400_000
    return isOld ? { ...base, state: 'failed', error: 'not_merged' } : { ...base, state, again: wait ?? 60 }
  }
  if (state === 'succeeded' || state === 'failed') return { ...base, state }
  const again = pauseOf(row, wait)
  return again === undefined ? { ...base, state: 'failed' } : { ...base, state, again }
}

/**
 * Settles the row, then writes the consequences, in one transaction.
 * @returns seconds until it is due again
 */
const settle = async (deps: Deps, row: PublicationRow, settled: Settled): Promise<number | undefined> => {
  const { workspace_id: workspaceId } = row
  const isOurs = await deps.db.transaction().execute(async (trx) => {
    await lockContent(trx, workspaceId, row.content_id)
    if (!await settlePublication(trx, row, settled)) return false
    if (settled.state === 'succeeded') await savePlacement(trx, row, settled.external ?? null)
    await hideImagesOf(trx, row, settled.state)
    await recompute(trx, workspaceId, row.content_id)
    deps.failpoint('publication.before_commit')
    return true
  })
  deps.failpoint('publication.after_commit')
  if (isOurs && settled.state === 'failed') {
    deps.log.warn({ publication_id: row.id, content_id: row.content_id, reason: settled.error }, 'publication failed')
  }
  return isOurs ? settled.again : undefined
}

const isMissed = ({ misfire, publish_at: at }: PublicationRow, was: PublicationState): boolean =>
  was === 'scheduled' && misfire === 'skip' && at !== null && Date.now() - at.getTime() > misfireMs

/** The job of a scheduled publication may come early, because clocks differ. */
const untilDue = async ({ db }: Deps, { workspace_id: workspaceId, id }: WorkKey): Promise<number | undefined> => {
  const row = await findPublication(db, workspaceId, id)
  if (row?.state !== 'scheduled' || !row.next_attempt_at) return undefined
  return Math.max(1, (row.next_attempt_at.getTime() - Date.now()) / 1000)
}

const deliver = async (deps: Deps, { was: before, ...row }: ClaimedPublication): Promise<number | undefined> => {
  // A lost job may have sent it.
  const was = before === 'running' ? 'unknown' : before
  if (isMissed(row, was)) return settle(deps, row, { state: 'cancelled', error: 'misfire' })
  const at = new Date()
  deps.failpoint('publication.before_send')
  const outcome = await send(deps, row, was).catch((error: unknown): Outcome => {
    deps.log.error({ reason: messageOf(error), publication_id: row.id }, 'publication failed unexpectedly')
    return { state: 'unknown', error: 'internal', http_status: null }
  })
  deps.failpoint('publication.after_send')
  return settle(deps, row, settledOf(row, outcome, at, was))
}

/** How jobs deliver publications. */
export const publicationKind: DueKind<ClaimedPublication, Deps> = {
  job: 'content.publication',
  sweepJob: 'content.sweep',
  idName: 'publication_id',
  rows: duePublications,
  run: deliver,
  untilDue
}
