import { isDeepStrictEqual } from 'node:util'
import { v7 as uuid } from 'uuid'
import { compileExpression } from 'steward-prose-engine/lint'
import type { FastifyInstance } from 'fastify'
import { deleteTargets, listTargets, saveBrand, saveTarget } from '../../../../db/content/brands.js'
import { isTargetUsed } from '../../../../db/content/placements.js'
import type { StoredBrand, StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import { lockProject } from '../../../../lib/account/projects.js'
import { isMailAddress } from '../../../../lib/mail/submit.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Brand, ReplaceBrand } from '../../../../schemas/content/brands.js'
import type { PublishTarget, PutTarget } from '../../../../schemas/content/targets.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { TargetInUse, requireOpenProject, invalid, requireNoReadOnly, TargetNotAllowed } from '../errors.js'
import { brandOf, describeBrand } from './read-brand.js'

const maxBytes = 262_144

const requireUnique = (keys: string[], at: string, name: string): void => {
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (twice >= 0) throw invalid(`${at}/${twice}/${name}`, 'unique', 'is there twice')
}

/** Rules of a brand that its schema cannot express. @throws invalid_request with a pointer */
export const requireValidBrand = (brand: ReplaceBrand): void => {
  if (Buffer.byteLength(JSON.stringify(brand)) > maxBytes) throw invalid('', 'max_bytes', 'is larger than 256 KiB')
  if (!brand.locales.enabled.includes(brand.locales.default)) {
    throw invalid('/locales/enabled', 'default', 'must hold the default locale')
  }
  requireUnique(brand.audiences.map(({ key }) => key), '/audiences', 'key')
  requireUnique(brand.claims.disclaimers.map(({ key }) => key), '/claims/disclaimers', 'key')
  requireUnique(brand.publish_targets.flatMap(({ target_id: id }, index) => id ?? `new ${index}`), '/publish_targets',
    'target_id')
  if (brand.publish_targets.filter(({ kind }) => kind === 'feed').length > 1) {
    throw invalid('/publish_targets', 'one_feed', 'may hold one feed')
  }
  brand.terms.banned.forEach(({ term, match, case_sensitive: sensitive }, index) => {
    if (match !== 'regex') return
    const problem = compileExpression(term, sensitive)
    if (typeof problem === 'string') throw invalid(`/terms/banned/${index}/term`, 'regex', problem)
  })
}

const needed = {
  webhook: ['url'],
  git_pr: ['repo_id'],
  feed: [],
  wordpress: ['url', 'username'],
  ghost: ['url'],
  mail: ['recipients'],
  mastodon: ['url'],
  bluesky: ['url', 'username'],
  linkedin: []
} as const

const secretForms: Record<PutTarget['kind'], RegExp | null> = {
  webhook: /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
  git_pr: null,
  feed: null,
  wordpress: /^[A-Za-z0-9]{4}(?: ?[A-Za-z0-9]{4}){3,9}$/,
  ghost: /^[0-9a-f]{24}:[0-9a-f]{64}$/,
  mail: null,
  mastodon: /^[\w-]{20,200}$/,
  bluesky: /^[a-z0-9]{4}(?:-[a-z0-9]{4}){3}$/,
  linkedin: null
}

/** The part of the config that decides who receives the secret. */
const addressOf = ({ config: { url, username } }: Pick<PutTarget, 'config'>) => JSON.stringify([url, username])

/** @returns whether the target changes to another receiver, or to another user name */
const moves = (target: PutTarget, old: PublishTarget | undefined): boolean =>
  old !== undefined && addressOf(target) !== addressOf(old)

const requireValidSecret = (target: PutTarget, at: string, old: PublishTarget | undefined): void => {
  const form = secretForms[target.kind]
  const { secret } = target
  if (typeof secret === 'string' && form === null) throw invalid(`${at}/secret`, 'unused', 'has no use for this kind')
  if (typeof secret === 'string' && !form?.test(secret)) throw invalid(`${at}/secret`, 'format', 'has the wrong form')
  const stays = secret === undefined && old?.secret_set
  if (form !== null && stays && moves(target, old)) {
    const message = 'is asked again when url or username changes: it was given for the old one'
    throw invalid(`${at}/secret`, 'required', message)
  }
  if (form !== null && !stays && typeof secret !== 'string') {
    throw invalid(`${at}/secret`, 'required', 'is needed by this kind of target')
  }
}

const requireMailAddresses = ({ config: { recipients = [], reply_to: reply } }: PutTarget, at: string): void => {
  const wrong = recipients.findIndex((one) => !isMailAddress(one))
  if (wrong >= 0) throw invalid(`${at}/config/recipients/${wrong}`, 'format', 'is no address of mail')
  if (reply !== undefined && !isMailAddress(reply)) {
    throw invalid(`${at}/config/reply_to`, 'format', 'is no address of mail')
  }
}

/**
 * Rules of a target's kind that its schema cannot express.
 * @param old the target as it is now; undefined = it is new
 * @throws invalid_request with a pointer
 */
const requireValidTarget = (target: PutTarget, at: string, old: PublishTarget | undefined): void => {
  for (const name of needed[target.kind]) {
    if (target.config[name] === undefined) throw invalid(`${at}/config/${name}`, 'required', 'is needed by this kind')
  }
  const { path_template: path } = target.config
  const unknown = path?.match(/\{[^}]*\}?/g)?.find((part) => !/^\{(channel|locale|slug|id)\}$/.test(part))
  if (unknown) throw invalid(`${at}/config/path_template`, 'placeholder', `has ${unknown}, which stands for nothing`)
  if (path && !/\{(slug|id)\}/.test(path)) {
    throw invalid(`${at}/config/path_template`, 'placeholder', 'needs {slug} or {id}: two records are two files')
  }
  requireMailAddresses(target, at)
  requireValidSecret(target, at, old)
}

type Deps = Pick<FastifyInstance, 'db' | 'secrets' | 'outbound'>

/** Refuses what the URL itself shows; a host name is resolved when it is sent to. @throws target_not_allowed */
const requirePublicAddress = (outbound: Deps['outbound'], { config: { url } }: PutTarget, at: string): void => {
  try {
    if (url !== undefined) outbound.check(url)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const pointer = `${at}/config/url`
    throw TargetNotAllowed(error.message, { errors: [{ pointer, code: error.code, message: error.message }] })
  }
}

export const secretContext = (targetId: string): string => `content_target|${targetId}|secret`

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
