import { createHash } from 'node:crypto'
import { readClock } from '../../../../db/clock.js'
import { listTargets } from '../../../../db/content/brands.js'
import { lockContent, type ContentRow } from '../../../../db/content/contents.js'
import { listPlacements, recompute, type PlacementRow } from '../../../../db/content/placements.js'
import {
  findPublicationOf, insertPublication, listNear, type PublicationRow
} from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import { actorOf, roleNeeded, type Principal } from '../../../../lib/security/principal.js'
import { hasRoleOn } from '../../../../lib/access/require-access.js'
import type {
  PlannedPublication, PublicationPlan, PublishContent, UnpublishContent, When
} from '../../../../schemas/content/publications.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import {
  AlreadyLive, CannotUnpublish, ContentArchived, NoTarget, NotPublisher, VersionNotApproved, invalid
} from '../errors.js'
import { requireContent, requireVersion } from '../texts/find-content.js'
import { requireNoErrors } from '../texts/move-content.js'
import { brandOf, type KnownBrand } from '../brands/read-brand.js'
import { fittingTargets } from './fitting-targets.js'
import { requireShown } from './show-renderings.js'

/** @throws no_target, invalid_request for one that is not of the brand or not for this record */
const targetsFor = (row: ContentRow, { settings }: KnownBrand, disabled: string[], requested: string[] | undefined):
StoredTarget[] => {
  const all = fittingTargets(settings, row).filter(({ target_id: id }) => !disabled.includes(id))
  const wrong = requested?.findIndex((id) => !all.some(({ target_id: one }) => one === id)) ?? -1
  if (wrong >= 0) throw invalid(`/targets/${wrong}`, 'unknown', 'is no enabled target for this record')
  const chosen = requested ? all.filter(({ target_id: id }) => requested.includes(id)) : all
  if (chosen.length === 0) throw NoTarget()
  return chosen
}

const versionFor = async (db: Db, workspaceId: string, row: ContentRow, brand: KnownBrand, input: PublishContent) => {
  const isFree = !brand.settings.approval.required
  const number = input.version ?? row.approved_version ?? (isFree ? row.head_version : undefined)
  if (number === undefined) throw VersionNotApproved('No version is approved')
  const version = await requireVersion(db, workspaceId, row.id, number)
  if (version.review_state !== 'approved' && !isFree) throw VersionNotApproved(`Version ${number} is not approved`)
  if (!isFree && number !== row.approved_version) {
    throw VersionNotApproved(`Version ${number} was superseded: version ${row.approved_version} is approved`)
  }
  requireNoErrors(version.checks)
  return version
}

const requirePublisher = (principal: Principal, { project_id }: ContentRow, { settings }: KnownBrand) => {
  const needed = roleNeeded(principal, settings.approval.publishers)
  if (!hasRoleOn(principal, needed, { project_id })) throw NotPublisher()
}

interface Key { id: string, version: number, target: string, action: string, of: string, overwrite: boolean }

const keyOf = ({ id, version, target, action, of, overwrite }: Key): string =>
  createHash('sha256').update(`${id}|${version}|${target}|${action}|${of}${overwrite ? '|overwrite' : ''}`)
    .digest('base64url')

export interface Written { rows: PublicationRow[], made: PublicationRow[] }

interface One {
  row: ContentRow
  version: number
  target: Pick<StoredTarget, 'target_id' | 'kind' | 'name'>
  action: PublicationRow['action']
  of: string
  at: Date | null
  input: Pick<PublishContent, 'timezone' | 'misfire'> & { republish?: boolean, overwrite?: boolean }
}

/** Warns where a target gets two texts at nearly the same time; both are published. */
const warningsFor = async (trx: Db, workspaceId: string, { row, target, action, at }: One) => {
  if (action === 'unpublish') return []
  const near = await listNear(trx, workspaceId, { content_id: row.id, target_id: target.target_id }, at)
  return near.map(({ content_id, title, at: time }) => ({
    rule_id: 'CNT-DUP-TARGET' as const,
    content_id,
    message: `"${title}" goes to the same target within an hour: ${time.toISOString()}`
  }))
}

const keyFor = ({ row, version, target, action, of, input: { overwrite = false } }: One): string =>
  keyOf({ id: row.id, version, target: target.target_id, action, of, overwrite })

/** Whether this very publication waits or is being sent: another one would find it, and send nothing. */
const isOnItsWay = async (db: Db, workspaceId: string, one: One): Promise<boolean> => {
  const found = await findPublicationOf(db, workspaceId, keyFor(one))
  return found !== undefined && found.state !== 'failed'
}

const insert = async (trx: Db, principal: Principal, one: One) => {
  const { row, version, target, action, at, input } = one
  const { overwrite = false } = input
  return insertPublication(trx, principal.workspace_id, {
    content_id: row.id,
    version,
    target_id: target.target_id,
    target_name: target.name,
    kind: target.kind,
    action,
    publish_at: at,
    timezone: input.timezone ?? null,
    misfire: input.misfire,
    republish: input.republish ?? false,
    overwrite,
    warnings: await warningsFor(trx, principal.workspace_id, one),
    dedupe_key: keyFor(one),
    principal: actorOf(principal),
    created_by: principal.user_id
  })
}

const add = async (trx: Db, principal: Principal, inputs: One[]): Promise<Written> => {
  const written: Written = { rows: [], made: [] }
  for (const input of inputs) {
    const { row, isNew } = await insert(trx, principal, input)
    written.rows.push(row)
    if (isNew) written.made.push(row)
  }
  if (written.made.length > 0) await recompute(trx, principal.workspace_id, inputs[0]?.row.id ?? '')
  return written
}

const requireLocked = async (trx: Db, workspaceId: string, id: string, revisions?: number[]): Promise<ContentRow> => {
  const row = await lockContent(trx, workspaceId, id)
  if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
  return row
}

/** A live record is updated, else published; the same version again finds the publication that made it live. */
const actionFor = (live: PlacementRow | undefined, version: number, republish: boolean) => {
  if (!live?.live) return { action: 'publish' as const, of: live?.publication_id ?? '' }
  // The same version again finds the row that made it live.
  const again = live.version === version && !republish
  return { action: 'update' as const, of: live.publication_id, again: again ? live.publication_id : undefined }
}

/** Nothing would be scheduled, though a time was given. @throws already_live */
const requireWork = (at: Date | null, isLive: readonly boolean[]): void => {
  if (at === null || !isLive.every(Boolean)) return
  throw AlreadyLive('This version is live at each of these targets, so nothing is scheduled. To send it again at that ' +
    'time, say republish')
}

/** The calendar module loads when it is first needed. @throws as readTime */
const timeOf = async (db: Db, input: When): Promise<Date | null> => {
  const { readTime } = await import('./read-time.js')
  return readTime(input, await readClock(db))
}

/** The version, targets and time of a publication, chosen before anything is written. */
interface Chosen { seen: ContentRow, version: number, targets: StoredTarget[], at: Date | null }

const choose = async (db: Db, principal: Principal, id: string, input: PublishContent): Promise<Chosen> => {
  const { workspace_id: workspaceId } = principal
  const seen = await requireContent(db, workspaceId, id)
  if (seen.status === 'archived') throw ContentArchived()
  const brand = await brandOf(db, workspaceId, seen.project_id)
  const { version, body } = await versionFor(db, workspaceId, seen, brand, input)
  const states = await listTargets(db, workspaceId, seen.project_id)
  const disabled = states.filter(({ disabled_reason: reason }) => reason !== null).map((state) => state.id)
  const targets = targetsFor(seen, brand, disabled, input.targets)
  const at = await timeOf(db, input)
  requirePublisher(principal, seen, brand)
  await requireShown(targets, version, { ...body, id, channel: seen.channel })
  return { seen, version, targets, at }
}

/**
 * Inserts one publication for each target; nothing is sent here. The same call again finds the same rows.
 * @throws not_found, content_archived, version_not_approved, content_checks_failed, no_target, not_publisher,
 *   content_empty, already_live, text_too_complex, overloaded, and those of readTime
 */
export const publish = async (db: Db, principal: Principal, id: string, input: PublishContent, revisions?: number[]):
Promise<{ written: Written, again: string[] }> => {
  const { workspace_id: workspaceId } = principal
  const { version, targets, at } = await choose(db, principal, id, input)
  return db.transaction().execute(async (trx) => {
    const row = await requireLocked(trx, workspaceId, id, revisions)
    const placed = await listPlacements(trx, workspaceId, id)
    const inputs = targets.map((target) => {
      const live = placed.find(({ target_id: one }) => one === target.target_id)
      return { row, version, target, at, input, ...actionFor(live, version, input.republish) }
    })
    requireWork(at, inputs.map((one) => 'again' in one && one.again !== undefined))
    const again = inputs.flatMap((one) => 'again' in one && one.again !== undefined ? [one.again] : [])
    const written = await add(trx, principal, inputs.filter((one) => !('again' in one) || one.again === undefined))
    return { written, again }
  })
}

/** @returns what publish would insert. @throws as publish */
export const planPublishing = async (db: Db, principal: Principal, id: string, input: PublishContent):
Promise<PublicationPlan> => {
  const { seen: row, version, targets, at } = await choose(db, principal, id, input)
  const { workspace_id: workspaceId } = principal
  const placed = await listPlacements(db, workspaceId, id)
  const chosen = targets.map((target) => {
    const live = placed.find(({ target_id: one }) => one === target.target_id)
    const { again, ...move } = actionFor(live, version, input.republish)
    return { one: { row, version, target, at, input, ...move }, live, isLive: again !== undefined }
  })
  requireWork(at, chosen.map(({ isLive }) => isLive))
  const planned = chosen.map(async ({ one, live, isLive }): Promise<PlannedPublication> => {
    const isSent = !isLive && !await isOnItsWay(db, workspaceId, one)
    return {
      ...describePlanned(one.target, version, live),
      action: isSent ? one.action : null,
      warnings: isSent ? await warningsFor(db, workspaceId, one) : []
    }
  })
  return { publish_at: at, targets: await Promise.all(planned) }
}

const describePlanned = ({ target_id, name, kind, config }: StoredTarget, version: number,
  live: PlacementRow | undefined) =>
  ({ target_id, target_name: name, kind, config, version, live_version: live?.live ? live.version : null })

/** A live placement, with its target in the brand. */
interface Live { placed: PlacementRow, target: StoredTarget }

/** @throws no_target, cannot_unpublish */
const requireLive = async (db: Db, workspaceId: string, id: string, { settings }: KnownBrand,
  requested: string[] | undefined): Promise<Live[]> => {
  const live = (await listPlacements(db, workspaceId, id)).filter((one) => one.live &&
    (requested === undefined || requested.includes(one.target_id)))
  if (live.length === 0) throw NoTarget('Nothing is live there')
  const stuck = live.filter(({ kind }) => kind === 'mail')
  if (stuck.length > 0) {
    throw CannotUnpublish('A mail that was sent is taken back by nobody', {
      target_ids: stuck.map(({ target_id: target }) => target)
    })
  }
  return live.map((placed) => ({ placed, target: targetOf(settings.publish_targets, placed) }))
}

const targetOf = (targets: readonly StoredTarget[], { target_id, kind }: PlacementRow): StoredTarget =>
  targets.find((one) => one.target_id === target_id) ??
    { target_id, kind, name: target_id, enabled: false, channels: [], locales: [], config: {} }

const chooseLive = async (db: Db, principal: Principal, id: string, input: UnpublishContent) => {
  const seen = await requireContent(db, principal.workspace_id, id)
  const brand = await brandOf(db, principal.workspace_id, seen.project_id)
  const at = await timeOf(db, input)
  requirePublisher(principal, seen, brand)
  return { seen, brand, at }
}

/** Takes what is live back from its targets. @throws not_found, no_target, cannot_unpublish, not_publisher */
export const unpublish = async (db: Db, principal: Principal, id: string, input: UnpublishContent,
  revisions?: number[]):
Promise<Written> => {
  const { workspace_id: workspaceId } = principal
  const { brand, at } = await chooseLive(db, principal, id, input)
  return db.transaction().execute(async (trx) => {
    const row = await requireLocked(trx, workspaceId, id, revisions)
    const live = await requireLive(trx, workspaceId, id, brand, input.targets)
    return add(trx, principal, live.map(({ placed: { version, publication_id: of }, target }) =>
      ({ row, version, target, action: 'unpublish' as const, of, at, input })))
  })
}

/** @returns what unpublish would insert. @throws as unpublish */
export const planUnpublishing = async (db: Db, principal: Principal, id: string, input: UnpublishContent):
Promise<PublicationPlan> => {
  const { workspace_id: workspaceId } = principal
  const { seen: row, brand, at } = await chooseLive(db, principal, id, input)
  const live = await requireLive(db, workspaceId, id, brand, input.targets)
  const planned = live.map(async ({ placed, target }): Promise<PlannedPublication> => {
    const { version, publication_id: of } = placed
    const isTaken = await isOnItsWay(db, workspaceId, { row, version, target, action: 'unpublish', of, at, input })
    return { ...describePlanned(target, version, placed), action: isTaken ? null : 'unpublish', warnings: [] }
  })
  return { publish_at: at, targets: await Promise.all(planned) }
}
