import { findContent, type ContentRow } from '../../../../db/content/contents.js'
import { findLastOutput } from '../../../../db/content/generation-outputs.js'
import { listSuggestions } from '../../../../db/content/suggestions.js'
import { listPublications } from '../../../../db/content/publications.js'
import { findVersion, listVersions, type VersionRow } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { NotFound } from '../../../../schemas/errors.js'
import { describeContent } from './describe-content.js'
import { describePublication } from '../publish/describe-publication.js'

/** @throws not_found for a record that is deleted, not there, or not the workspace's */
export const requireContent = async (db: Db, workspaceId: string, id: string): Promise<ContentRow> => {
  const row = await findContent(db, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws not_found */
export const requireVersion = async (db: Db, workspaceId: string, id: string, version: number): Promise<VersionRow> => {
  const found = await findVersion(db, workspaceId, id, version)
  if (!found) throw NotFound(`The record has no version ${version}`)
  return found
}

/** @param version default: the newest. @throws not_found */
export const readContent = async (db: Db, workspaceId: string, id: string, version?: number): Promise<Content> => {
  const row = await requireContent(db, workspaceId, id)
  const shown = await requireVersion(db, workspaceId, id, version ?? row.head_version)
  const generation = await findLastOutput(db, workspaceId, id)
  return describeContent(row, shown, { generation, suggestions: await listSuggestions(db, workspaceId, id) })
}

const maxVersions = 30

/** @returns the included parts of a record: its versions, its publications */
export const readBeside = async (db: Db, workspaceId: string, id: string, include: readonly string[]):
Promise<Pick<Content, 'versions' | 'publications'>> => ({
  ...(include.includes('versions') && { versions: await listVersions(db, workspaceId, id, undefined, maxVersions) }),
  ...(include.includes('publications') &&
    { publications: (await listPublications(db, workspaceId, id)).map(describePublication) })
})
