import { createHash } from 'node:crypto'
import { findBrief } from '../../../db/content/briefs.js'
import { isSlugTaken, isTextElsewhere, listAlike } from '../../../db/content/contents.js'
import type { Db } from '../../../db/index.js'
import type { Channel, Network } from '../../../schemas/content/channels.js'
import type { ContentBody } from '../../../schemas/content/contents.js'
import type { BriefBody } from '../../../schemas/content/briefs.js'
import type { BrandReport } from '../../../schemas/content/reports.js'
import type { Read } from './lint/prose.js'
import { brandOf, type KnownBrand } from './read-brand.js'

export interface Place {
  id?: string
  project_id: string
  brief_id: string | null
  channel: Channel
  network: Network | null
  locale: string
}

/** @returns a hash of what the record says; waivers and citations say nothing to readers */
export const hashOf = ({ waivers, citations, slug, ...said }: ContentBody): string =>
  createHash('sha256').update(JSON.stringify(said)).digest('base64url')

/** What a version keeps of its check, and the brand that it was judged by. */
export interface Checked { checks: BrandReport, content_hash: string, sketch: number[], brand: KnownBrand }

const briefBody = async (db: Db, workspaceId: string, id: string | null): Promise<BriefBody | null> =>
  id === null ? null : (await findBrief(db, workspaceId, id))?.body ?? null

/** @returns the day in UTC, as sources are dated */
const today = (): string => new Date().toISOString().slice(0, 10)

/** Loaded when they are first needed. */
const loadRules = () => Promise.all([
  import('./lint/prose.js'), import('./lint/similar.js'), import('./lint/report.js')
])

const similarTo = async (db: Db, workspaceId: string, { id, project_id: project }: Place, read: Read) => {
  const [{ readBody }, { jaccard, shinglesOf, similarFrom, sketchOf }] = await loadRules()
  const shingles = shinglesOf(read.all)
  const sketch = sketchOf(shingles, project)
  const alike = sketch.length === 0 ? [] : await listAlike(db, workspaceId, project, sketch, id)
  const similar = alike.map((other) => ({ ...other, share: jaccard(shingles, shinglesOf(readBody(other.body).all)) }))
    .filter(({ share }) => share >= similarFrom)
    .map(({ id, title, share }) => ({ id, title, percent: Math.floor(share * 100) }))
  return { sketch, similar }
}

/**
 * Judges a text as it would stand at its place.
 * @param unsaved the brief, where it is not stored yet
 */
export const checkContent = async (db: Db, workspaceId: string, place: Place, body: ContentBody,
  unsaved?: BriefBody): Promise<Checked> => {
  const [{ readBody }, , { reportOn }] = await loadRules()
  const { id, project_id: project, brief_id: briefId, channel, network, locale } = place
  const brand = await brandOf(db, workspaceId, project)
  const brief = unsaved ?? await briefBody(db, workspaceId, briefId)
  const content_hash = hashOf(body)
  const read = readBody(body)
  const { sketch, similar } = await similarTo(db, workspaceId, place, read)
  const others = {
    isCopy: await isTextElsewhere(db, workspaceId, project, content_hash, id),
    isSlugTaken: await isSlugTaken(db, workspaceId, place, body.slug),
    similar
  }
  const said = { ...read, body, channel, network, locale, brand: brand.settings, brief, today: today() }
  return { checks: reportOn({ ...said, ...others }, brand.version), content_hash, sketch, brand }
}
