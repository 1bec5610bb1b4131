import { isDeepStrictEqual } from 'node:util'
import { v7 as uuid } from 'uuid'
import { deleteTargets, listTargets, saveBrand, saveTarget } from '../../../../db/content/brands.js'
import { isTargetUsed } from '../../../../db/content/placements.js'
import type { StoredBrand, StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import { lockProject } from '../../../../lib/account/projects.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Brand, ReplaceBrand } from '../../../../schemas/content/brands.js'
import type { PublishTarget, PutTarget } from '../../../../schemas/content/targets.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { requireValidBrand } from './check-brand.js'
import { requirePublicAddress, requireValidTarget, moves, secretContext, type Deps } from './check-target.js'
import { TargetInUse } from '../errors.js'
import { requireOpenProject } from '../find-project.js'
import { invalid } from '../invalid.js'
import { brandOf, describeBrand } from './read-brand.js'
import { requireNoReadOnly } from '../read-only.js'

export interface Condition { revisions?: number[] | undefined, onlyNew: boolean }

const readOnly = ['project_id', 'configured', 'version', 'revision', 'updated_by', 'updated_at'] as const

/** @throws read_only_field */
export const requireNoBrandReadOnly = (body: Partial<ReplaceBrand>, before: Brand): void =>
  requireNoReadOnly(body, { ...before }, readOnly)

/** @returns the writable fields of a brand as it was read */
export const writableBrand = <T extends Partial<ReplaceBrand>>(body: T): Omit<T, typeof readOnly[number]> => {
  const { project_id, configured, version, revision, updated_by, updated_at, ...rest } = body
  return rest
}

interface Target { stored: StoredTarget, secret: string | null | undefined, enables: boolean, moves: boolean }

const toTarget = (target: PutTarget, old: PublishTarget | undefined): Target => {
  const { target_id, secret, secret_set: _, disabled_reason: reason, ...rest } = target
  const stored = { target_id: target_id ?? uuid(), ...rest }
  return { stored, secret, enables: reason === null, moves: moves(target, old) }
}

/** Validates targets, without their addresses. @throws invalid_request with a pointer */
export const requireTargets = (body: Pick<ReplaceBrand, 'publish_targets'>, before: Brand): void => {
  const known = new Map(before.publish_targets.map((target) => [target.target_id, target]))
  body.publish_targets.forEach((target, index) => {
    const at = `/publish_targets/${index}`
    const old = target.target_id === undefined ? undefined : known.get(target.target_id)
    if (target.target_id !== undefined && !old) throw invalid(`${at}/target_id`, 'unknown', 'is none of this brand')
    if (old && old.kind !== target.kind) throw invalid(`${at}/kind`, 'fixed', 'cannot become another kind')
    requireValidTarget(target, at, old)
  })
}

const targetsOf = ({ outbound }: Deps, body: ReplaceBrand, before: Brand): Target[] => {
  requireTargets(body, before)
  const known = new Map(before.publish_targets.map((target) => [target.target_id, target]))
  return body.publish_targets.map((target, index) => {
    requirePublicAddress(outbound, target, `/publish_targets/${index}`)
    return toTarget(target, target.target_id === undefined ? undefined : known.get(target.target_id))
  })
}

const store = async (deps: Deps, trx: Db, principal: Principal, projectId: string, version: number,
  settings: StoredBrand, targets: Target[]) => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  await saveBrand(trx, workspaceId, projectId, userId, version, settings)
  await deleteTargets(trx, workspaceId, projectId, targets.map(({ stored }) => stored.target_id))
  for (const { stored: { target_id: id }, secret, ...change } of targets) {
    const encrypted = typeof secret === 'string' ? deps.secrets.encrypt(secretContext(id), secret) : secret
    await saveTarget(trx, workspaceId, projectId, id, { secret: encrypted, ...change })
  }
}

/** Refuses to remove a target with live content, which could not be taken back then. @throws target_in_use */
const requireUnused = async (trx: Db, workspaceId: string, before: Brand, targets: Target[]): Promise<void> => {
  const kept = targets.map(({ stored }) => stored.target_id)
  for (const { target_id: id, name } of before.publish_targets.filter((target) => !kept.includes(target.target_id))) {
    if (await isTargetUsed(trx, workspaceId, id)) throw TargetInUse(`Content is live at ${name}`)
  }
}

const settingsOf = (body: ReplaceBrand, targets: Target[]): StoredBrand => {
  const { publish_targets: _, ...settings } = writableBrand(body)
  return { ...settings, publish_targets: targets.map(({ stored }) => stored) }
}

/** Compares the brands as stored, without undefined members. */
const same = (one: StoredBrand, other: StoredBrand) =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))

const requireCondition = (before: Brand, { revisions, onlyNew }: Condition) => {
  if (onlyNew && before.configured) throw explainMiss(before)
  if (revisions && !revisions.includes(before.revision)) throw explainMiss(before)
}

/**
 * Writes the next version of a project's brand; one that changes nothing writes none.
 * @throws not_found, project_archived, stale_revision, read_only_field, invalid_request
 */
export const replaceBrand = async (deps: Deps, principal: Principal, projectId: string, body: ReplaceBrand,
  condition: Condition): Promise<{ brand: Brand, created: boolean }> => {
  requireValidBrand(body)
  const { workspace_id: workspaceId } = principal
  await requireOpenProject(deps.db, workspaceId, projectId)
  return deps.db.transaction().execute(async (trx) => {
    await lockProject(trx, workspaceId, projectId)
    const known = await brandOf(trx, workspaceId, projectId)
    const before = describeBrand(projectId, known, await listTargets(trx, workspaceId, projectId))
    requireCondition(before, condition)
    requireNoBrandReadOnly(body, before)
    const targets = targetsOf(deps, body, before)
    await requireUnused(trx, workspaceId, before, targets)
    const settings = settingsOf(body, targets)
    const isSame = before.configured && same(settings, known.settings) &&
      targets.every(({ secret, enables }) => secret === undefined && !enables)
    if (!isSame) await store(deps, trx, principal, projectId, before.version + 1, settings, targets)
    const after = await brandOf(trx, workspaceId, projectId)
    const states = await listTargets(trx, workspaceId, projectId)
    return { brand: describeBrand(projectId, after, states), created: !before.configured }
  })
}
