import { createHash } from 'node:crypto'
import { findBrief } from '../../../db/content/briefs.js'
import { isTextElsewhere } from '../../../db/content/contents.js'
import type { Db } from '../../../db/index.js'
import type { Channel, Network } from '../../../schemas/content/channels.js'
import type { ContentBody } from '../../../schemas/content/contents.js'
import type { BriefBody } from '../../../schemas/content/briefs.js'
import type { BrandReport } from '../../../schemas/content/reports.js'
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

export interface Checked { checks: BrandReport, content_hash: string, brand: KnownBrand }

const briefBody = async (db: Db, workspaceId: string, id: string | null): Promise<BriefBody | null> =>
  id === null ? null : (await findBrief(db, workspaceId, id))?.body ?? null

/** @returns the day in UTC, as sources are dated */
const today = (): string => new Date().toISOString().slice(0, 10)

/** Judges a text as it would stand at its place. The rules load when they are first needed. */
export const checkContent = async (db: Db, workspaceId: string, place: Place, body: ContentBody): Promise<Checked> => {
  const { reportOn } = await import('./lint/report.js')
  const { id, project_id: project, brief_id: briefId, channel, network, locale } = place
  const brand = await brandOf(db, workspaceId, project)
  const brief = await briefBody(db, workspaceId, briefId)
  const content_hash = hashOf(body)
  const isCopy = await isTextElsewhere(db, workspaceId, project, content_hash, id)
  const material = { body, channel, network, locale, brand: brand.settings, brief, today: today(), isCopy }
  return { checks: reportOn(material, brand.version), content_hash, brand }
}
