import { v7 as uuid } from 'uuid'
import { findBrief, insertBrief, moveBrief } from '../../../../db/content/briefs.js'
import type { ContentRow } from '../../../../db/content/contents.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { BriefBody, BriefChannel, ContentBody } from 'steward-prose-engine/schemas'
import type { GenerateContent } from '../../../../schemas/content/generations.js'
import { explainMiss, StaleRevision } from '../../../../schemas/revisions.js'
import { requireValidBrief } from '../brands/change-brief.js'
import { type Slot, requireContent, requireVersion } from '../texts/find-content.js'
import { BriefNotFound, BriefState, TooManyOutputs, VersionNotApproved, invalid } from '../errors.js'
import { brandOf } from '../brands/read-brand.js'
import { resolveSlot } from '../texts/write-content.js'

const maxOutputs = 20

export interface Origin { row: ContentRow, version: number, body: ContentBody }

/** A record to make. */
export interface Planned { slot: Slot, channel: BriefChannel, variant: number }

/** The sources of a generation, a brief, a record, or both, and the records to make. */
export interface Ordered {
  project_id: string
  /** A new one came with the request, and is not stored yet. */
  brief: { id: string, revision: number, body: BriefBody, isNew: boolean } | null
  origin: Origin | null
  planned: Planned[]
}

const networkOf = ({ channel, network }: BriefChannel, index: number) => {
  if (channel === 'social' && network === undefined) {
    throw invalid(`/channels/${index}/network`, 'required', 'is needed by channel social')
  }
  return network ?? null
}

interface RequestedBrief { id: string, project_id: string, revision: number, body: BriefBody, isNew: boolean }

const takeBrief = ({ brief_id: id, project_id }: GenerateContent, body: BriefBody): RequestedBrief => {
  if (id !== undefined) throw invalid('/brief', 'exclusive', 'is given beside brief_id')
  if (project_id === undefined) throw invalid('/project_id', 'required', 'is needed by a brief in the request')
  requireValidBrief(body, '/brief')
  return { id: uuid(), project_id, revision: 1, body, isNew: true }
}

const requireBrief = async (db: Db, workspaceId: string, input: GenerateContent): Promise<RequestedBrief> => {
  const { brief_id: id, brief, project_id: project } = input
  if (brief) return takeBrief(input, brief)
  if (id === undefined) throw invalid('/brief_id', 'required', 'is needed by mode create')
  const row = await findBrief(db, workspaceId, id)
  if (!row || (project !== undefined && project !== row.project_id)) throw BriefNotFound()
  if (row.status === 'archived') throw BriefState('The brief is archived')
  return { ...row, isNew: false }
}

/** Stores a brief that came with the request, before its records; marks a stored one as in use. */
export const useBrief = async (trx: Db, principal: Principal, { project_id, brief }: Ordered): Promise<void> => {
  if (!brief) return
  const { workspace_id: workspaceId, user_id: userId } = principal
  const { id, body, isNew } = brief
  if (isNew) await insertBrief(trx, workspaceId, userId, project_id, body, { id, status: 'in_use' })
  else await moveBrief(trx, workspaceId, id, ['draft', 'ready'], 'in_use')
}

const requireOnce = (channels: readonly BriefChannel[]): void => {
  const keys = channels.map(({ channel, network }) => `${channel} ${network ?? ''}`)
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (twice >= 0) throw invalid(`/channels/${twice}`, 'unique', 'is there twice')
}

type Where = Pick<Slot, 'project_id' | 'brief_id'>

const spread = async (db: Db, workspaceId: string, where: Where, channels: readonly BriefChannel[],
  locales: readonly (string | undefined)[], variants: number): Promise<Planned[]> => {
  requireOnce(channels)
  const count = channels.length * locales.length * variants
  if (count > maxOutputs) throw TooManyOutputs(`That would be ${count} records; ${maxOutputs} at most`)
  const planned: Planned[] = []
  for (const [index, channel] of channels.entries()) {
    const network = networkOf(channel, index)
    for (const locale of locales) {
      const slot = await resolveSlot(db, workspaceId,
        { ...where, channel: channel.channel, network, ...(locale !== undefined && { locale }) })
      for (let variant = 1; variant <= variants; variant++) planned.push({ slot, channel, variant })
    }
  }
  return planned
}

/** @returns the languages to write in; undefined = the brand's default */
const localesFor = ({ locales, locale }: GenerateContent, brief: BriefBody, all: boolean): (string | undefined)[] => {
  if (locales) return locales
  if (locale !== undefined) return [locale]
  return all && brief.locales.length > 0 ? brief.locales : [brief.locales[0]]
}

/**
 * @param all whether to write in every language of the brief, or only in its first
 * @throws brief_not_found, brief_state, too_many_outputs, locale_not_enabled, project_archived, invalid_request
 */
export const orderCreation = async (db: Db, workspaceId: string, input: GenerateContent, all: boolean):
Promise<Ordered> => {
  const { project_id, ...brief } = await requireBrief(db, workspaceId, input)
  const { id, revision, body, isNew } = brief
  const planned = await spread(db, workspaceId, { project_id, brief_id: isNew ? null : id },
    input.channels ?? body.channels, localesFor(input, body, all), input.variants)
  const owned = planned.map((one) => ({ ...one, slot: { ...one.slot, brief_id: id } }))
  return { project_id, brief: { id, revision, body, isNew }, origin: null, planned: owned }
}

const briefOf = async (db: Db, workspaceId: string, { brief_id: id }: ContentRow): Promise<Ordered['brief']> => {
  const found = id === null ? undefined : await findBrief(db, workspaceId, id)
  return found ? { id: found.id, revision: found.revision, body: found.body, isNew: false } : null
}

const requireId = ({ content_id: id, mode }: GenerateContent): string => {
  if (id === undefined) throw invalid('/content_id', 'required', `is needed by mode ${mode}`)
  return id
}

type Versions = Pick<ContentRow, 'approved_version' | 'head_version'>

/** @returns the version that is adapted or translated */
export const sourceVersion = (requested: number | undefined,
  { approved_version: approved, head_version: head }: Versions): number => requested ?? approved ?? head

const sourceOf = async (db: Db, workspaceId: string, input: GenerateContent): Promise<Origin> => {
  const row = await requireContent(db, workspaceId, requireId(input))
  const number = sourceVersion(input.base_version, row)
  const { body, review_state: state } = await requireVersion(db, workspaceId, row.id, number)
  const { settings } = await brandOf(db, workspaceId, row.project_id)
  if (input.mode === 'adapt' && settings.approval.required && state !== 'approved') {
    throw VersionNotApproved(`Version ${number} is not approved; only an approved text is adapted`)
  }
  return { row, version: number, body }
}

/** The revision is that of the source: the record, else the brief. @throws stale_revision */
export const requireRevision = ({ origin, brief }: Pick<Ordered, 'origin' | 'brief'>, revisions?: number[]): void => {
  const revision = origin?.row.revision ?? brief?.revision
  if (revision !== undefined && revisions && !revisions.includes(revision)) throw explainMiss({ revision })
}

/** Plans records derived from another one: for other channels, or in other languages. */
export const orderDerivation = async (db: Db, workspaceId: string, input: GenerateContent): Promise<Ordered> => {
  const origin = await sourceOf(db, workspaceId, input)
  const { project_id, brief_id, channel, network, locale } = origin.row
  const where = { project_id, brief_id }
  const brief = await briefOf(db, workspaceId, origin.row)
  if (input.mode === 'adapt') {
    if (!input.channels) throw invalid('/channels', 'required', 'is needed by mode adapt')
    const planned = await spread(db, workspaceId, where, input.channels, [locale], 1)
    return { project_id, brief, origin, planned }
  }
  if (!input.locales) throw invalid('/locales', 'required', 'is needed by mode translate')
  if (input.locales.includes(locale)) throw invalid('/locales', 'same', `holds ${locale}, which it is written in`)
  const own = { channel, ...(network !== null && { network }), length: 'medium' as const }
  return { project_id, brief, origin, planned: await spread(db, workspaceId, where, [own], input.locales, 1) }
}

/** @throws stale_revision where base_version is not the newest version */
export const requireNewest = ({ base_version: base }: GenerateContent,
  row: Pick<ContentRow, 'head_version'> | undefined): void => {
  if (base === undefined || base === row?.head_version) return
  throw StaleRevision(`Version ${row?.head_version ?? 0} is the newest`)
}

/** Plans the next version of the record itself. */
export const orderRevision = async (db: Db, workspaceId: string, input: GenerateContent): Promise<Ordered> => {
  const row = await requireContent(db, workspaceId, requireId(input))
  if (input.mode === 'sections' && !input.targets) throw invalid('/targets', 'required', 'is needed by mode sections')
  const { body } = await requireVersion(db, workspaceId, row.id, row.head_version)
  const brief = await briefOf(db, workspaceId, row)
  return { project_id: row.project_id, brief, origin: { row, version: row.head_version, body }, planned: [] }
}
