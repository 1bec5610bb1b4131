import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { listTargets } from '../../../../db/content/brands.js'
import { lockContent, type ContentRow } from '../../../../db/content/contents.js'
import { listPlacements, recompute, type PlacementRow } from '../../../../db/content/placements.js'
import { insertPublication, listNear, type PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import { hasRole, type Principal } from '../../../../plugins/principal.js'
import type { PublishContent, UnpublishContent, When } from '../../../../schemas/content/publications.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { CannotUnpublish, ContentArchived, NoTarget, NotPublisher, VersionNotApproved } from '../errors.js'
import { demandContent, demandVersion } from '../find-content.js'
import { invalid } from '../invalid.js'
import { refuseErrors } from '../move-content.js'
import { brandOf, type KnownBrand } from '../read-brand.js'

const fits = (list: readonly string[], value: string) => list.length === 0 || list.includes(value)

/** @throws no_target, invalid_request for one that is not of the brand or not for this record */
const targetsFor = (row: ContentRow, { settings }: KnownBrand, disabled: string[], asked: string[] | undefined):
StoredTarget[] => {
  const all = settings.publish_targets.filter(({ target_id: id, enabled, channels, locales }) =>
    enabled && !disabled.includes(id) && fits(channels, row.channel) && fits(locales, row.locale))
  const wrong = asked?.findIndex((id) => !all.some(({ target_id: one }) => one === id)) ?? -1
  if (wrong >= 0) throw invalid(`/targets/${wrong}`, 'unknown', 'is no enabled target for this record')
  const chosen = asked ? all.filter(({ target_id: id }) => asked.includes(id)) : all
  if (chosen.length === 0) throw NoTarget()
  return chosen
}

const versionFor = async (db: Db, workspaceId: string, row: ContentRow, brand: KnownBrand, wish: PublishContent) => {
  const isFree = !brand.settings.approval.required
  const number = wish.version ?? row.approved_version ?? (isFree ? row.head_version : undefined)
  if (number === undefined) throw VersionNotApproved('No version is approved')
  const version = await demandVersion(db, workspaceId, row.id, number)
  if (version.review_state !== 'approved' && !isFree) throw VersionNotApproved(`Version ${number} is not approved`)
  refuseErrors(version.checks)
  return version
}

const clockOf = async (db: Db): Promise<Date> =>
  (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)).rows[0]?.now ?? new Date()

const demandPublisher = (principal: Principal, { settings }: KnownBrand) => {
  if (!hasRole(principal, settings.approval.publishers)) throw NotPublisher()
}

interface Key { id: string, version: number, target: string, action: string, of: string, overwrite: boolean }

const keyOf = ({ id, version, target, action, of, overwrite }: Key): string =>
  createHash('sha256').update(`${id}|${version}|${target}|${action}|${of}${overwrite ? '|overwrite' : ''}`)
    .digest('base64url')

const askerOf = ({ user_id, name, via, via_id, scopes }: Principal) => ({ user_id, name, via, via_id, scopes })

export interface Asked { rows: PublicationRow[], made: PublicationRow[] }

interface One {
  row: ContentRow
  version: number
  target: Pick<StoredTarget, 'target_id' | 'kind' | 'name'>
  action: PublicationRow['action']
  of: string
  at: Date | null
  wish: Pick<PublishContent, 'timezone' | 'misfire'> & { republish?: boolean, overwrite?: boolean }
}

/** Readers of one place are sent two texts at nearly the same time: that is done, and said. */
const warningsFor = async (trx: Db, workspaceId: string, { row, target, action, at }: One) => {
  if (action === 'unpublish') return []
  const near = await listNear(trx, workspaceId, { content_id: row.id, target_id: target.target_id }, at)
  return near.map(({ content_id, title, at: time }) => ({
    rule_id: 'CNT-DUP-TARGET' as const,
    content_id,
    message: `"${title}" goes to the same target within an hour: ${time.toISOString()}`
  }))
}

const insert = async (trx: Db, principal: Principal, one: One) => {
  const { row, version, target, action, of, at, wish } = one
  const { overwrite = false } = wish
  return insertPublication(trx, principal.workspace_id, {
    content_id: row.id,
    version,
    target_id: target.target_id,
    target_name: target.name,
    kind: target.kind,
    action,
    publish_at: at,
    timezone: wish.timezone ?? null,
    misfire: wish.misfire,
    republish: wish.republish ?? false,
    overwrite,
    warnings: await warningsFor(trx, principal.workspace_id, one),
    dedupe_key: keyOf({ id: row.id, version, target: target.target_id, action, of, overwrite }),
    principal: askerOf(principal),
    created_by: principal.user_id
  })
}

const add = async (trx: Db, principal: Principal, wishes: One[]): Promise<Asked> => {
  const asked: Asked = { rows: [], made: [] }
  for (const wish of wishes) {
    const { row, isNew } = await insert(trx, principal, wish)
    asked.rows.push(row)
    if (isNew) asked.made.push(row)
  }
  if (asked.made.length > 0) await recompute(trx, principal.workspace_id, wishes[0]?.row.id ?? '')
  return asked
}

const demandLocked = async (trx: Db, workspaceId: string, id: string, revisions?: number[]): Promise<ContentRow> => {
  const row = await lockContent(trx, workspaceId, id)
  if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
  return row
}

/** What is there already under the same key is the answer; a changed version of what is live is an update of it. */
const actionFor = (live: PlacementRow | undefined, version: number, republish: boolean) => {
  if (!live?.live) return { action: 'publish' as const, of: live?.publication_id ?? '' }
  // The same version again finds the row that made it live.
  const again = live.version === version && !republish
  return { action: 'update' as const, of: live.publication_id, again: again ? live.publication_id : undefined }
}

/** The rules of the calendar load when they are first needed. @throws as readTime */
const timeOf = async (db: Db, wish: When): Promise<Date | null> => {
  const { readTime } = await import('./read-time.js')
  return readTime(wish, await clockOf(db))
}

/**
 * Writes down one publication a target; nothing is sent here. The same again finds the same rows.
 * @throws not_found, content_archived, version_not_approved, content_checks_failed, no_target, not_publisher, and
 *   those of readTime
 */
export const publish = async (db: Db, principal: Principal, id: string, wish: PublishContent, revisions?: number[]):
Promise<{ asked: Asked, again: string[] }> => {
  const { workspace_id: workspaceId } = principal
  const seen = await demandContent(db, workspaceId, id)
  if (seen.status === 'archived') throw ContentArchived()
  const brand = await brandOf(db, workspaceId, seen.project_id)
  const { version } = await versionFor(db, workspaceId, seen, brand, wish)
  const states = await listTargets(db, workspaceId, seen.project_id)
  const disabled = states.filter(({ disabled_reason: reason }) => reason !== null).map((state) => state.id)
  const targets = targetsFor(seen, brand, disabled, wish.targets)
  const at = await timeOf(db, wish)
  demandPublisher(principal, brand)
  return db.transaction().execute(async (trx) => {
    const row = await demandLocked(trx, workspaceId, id, revisions)
    const placed = await listPlacements(trx, workspaceId, id)
    const wishes = targets.map((target) => {
      const live = placed.find(({ target_id: one }) => one === target.target_id)
      return { row, version, target, at, wish, ...actionFor(live, version, wish.republish) }
    })
    const again = wishes.flatMap((one) => 'again' in one && one.again !== undefined ? [one.again] : [])
    const asked = await add(trx, principal, wishes.filter((one) => !('again' in one) || one.again === undefined))
    return { asked, again }
  })
}

/** Takes what is live back from its targets. @throws not_found, no_target, cannot_unpublish, not_publisher */
export const unpublish = async (db: Db, principal: Principal, id: string, wish: UnpublishContent, revisions?: number[]):
Promise<Asked> => {
  const { workspace_id: workspaceId } = principal
  const seen = await demandContent(db, workspaceId, id)
  const brand = await brandOf(db, workspaceId, seen.project_id)
  const at = await timeOf(db, wish)
  demandPublisher(principal, brand)
  return db.transaction().execute(async (trx) => {
    const row = await demandLocked(trx, workspaceId, id, revisions)
    const live = (await listPlacements(trx, workspaceId, id)).filter((one) => one.live &&
      (wish.targets === undefined || wish.targets.includes(one.target_id)))
    if (live.length === 0) throw NoTarget('Nothing is live there')
    const stuck = live.filter(({ kind }) => kind === 'git_pr')
    if (stuck.length > 0) {
      throw CannotUnpublish('What was merged into a repository is taken back there', {
        target_ids: stuck.map(({ target_id: target }) => target)
      })
    }
    const nameOf = (target: string) =>
      brand.settings.publish_targets.find((one) => one.target_id === target)?.name ?? target
    return add(trx, principal, live.map((one) => ({
      row,
      version: one.version,
      target: { target_id: one.target_id, kind: one.kind, name: nameOf(one.target_id) },
      action: 'unpublish' as const,
      of: one.publication_id,
      at,
      wish
    })))
  })
}
