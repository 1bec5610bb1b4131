import { createHash } from 'node:crypto'
import { findBrief } from '../../../../db/content/briefs.js'
import { isSlugTaken, isTextElsewhere, listAlike } from '../../../../db/content/contents.js'
import { listStyleRules } from '../../../../db/content/styles.js'
import type { Db } from '../../../../db/index.js'
import type { BrandReport, BriefBody, Channel, ContentBody, Network } from 'steward-prose-engine/schemas'
import { brandOf, type KnownBrand } from '../brands/read-brand.js'
import { readText } from '../text/read-text.js'

export interface Slot {
  id?: string
  project_id: string
  brief_id: string | null
  channel: Channel
  network: Network | null
  locale: string
}

/** @returns a hash of the text that readers see: without waivers, citations and slug */
export const hashOf = ({ waivers, citations, slug, ...text }: ContentBody): string =>
  createHash('sha256').update(JSON.stringify(text)).digest('base64url')

/** What a version stores of its check, and the brand that it was checked by. */
export interface Checked { checks: BrandReport, content_hash: string, sketch: number[], brand: KnownBrand }

const briefBody = async (db: Db, workspaceId: string, id: string | null): Promise<BriefBody | null> =>
  id === null ? null : (await findBrief(db, workspaceId, id))?.body ?? null

/** @returns the day in UTC, as sources are dated */
const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Checks a text as it would stand in its slot.
 * @param unsaved the brief, where it is not stored yet
 * @throws text_too_complex, overloaded
 */
export const checkContent = async (db: Db, workspaceId: string, slot: Slot, body: ContentBody,
  unsaved?: BriefBody): Promise<Checked> => {
  const { id, project_id: project, brief_id: briefId, channel, network, locale } = slot
  const brand = await brandOf(db, workspaceId, project)
  const brief = unsaved ?? await briefBody(db, workspaceId, briefId)
  const content_hash = hashOf(body)
  const styles = await listStyleRules(db, workspaceId, project)
  const sketch = await readText('sketch', body, project)
  const alike = sketch.length === 0 ? [] : await listAlike(db, workspaceId, project, sketch, id)
  const others = {
    isCopy: await isTextElsewhere(db, workspaceId, project, content_hash, id),
    isSlugTaken: await isSlugTaken(db, workspaceId, slot, body.slug)
  }
  const judged = { body, channel, network, locale, brand: brand.settings, styles, brief, today: today(), ...others }
  return { checks: await readText('report', judged, alike, brand.version), content_hash, sketch, brand }
}
