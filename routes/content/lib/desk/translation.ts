import { lockContent, updateContent } from '../../../../db/content/contents.js'
import { findLink, findSource, listTranslations, type VersionRow } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import { lockProject } from '../../../../lib/account/projects.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentTranslation, SetTranslation, ContentComparison } from '../../../../schemas/content/comparisons.js'
import type { ContentDiff } from '../../../../schemas/content/contents.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ContentArchived, invalid } from '../errors.js'
import { readText } from '../text/read-text.js'
import { diffContent, changedFields, requireContent, requireVersion } from '../texts/find-content.js'
import { TranslationCycle } from './comment.js'

const sideOf = ({ version, body: { title }, checks: { score, verdict, brand_version } }: VersionRow) =>
  ({ version, title, score, verdict, brand_version })

/** @throws not_found for a version that is not there */
export const compareVersions = async (db: Db, workspaceId: string, id: string,
  { from, to }: { from: number, to?: number }): Promise<ContentComparison> => {
  const row = await requireContent(db, workspaceId, id)
  const before = await requireVersion(db, workspaceId, id, from)
  const after = await requireVersion(db, workspaceId, id, to ?? row.head_version)
  const [old, now] = [before.checks, after.checks]
  return {
    from: sideOf(before),
    to: sideOf(after),
    same_rules: old.ruleset_hash === now.ruleset_hash && old.linter_version === now.linter_version,
    fields: changedFields(before.body, after.body),
    ...await readText('sideBySide', before.body, after.body, old.findings, now.findings)
  }
}

const changesOf = (db: Db, workspaceId: string, id: string, from: number | null): Promise<ContentDiff> | null =>
  from === null ? null : diffContent(db, workspaceId, id, { from, granularity: 'word' })

interface Linked { id: string, title: string, locale: string, head_version: number }

const linked = ({ id, title, locale, head_version }: Linked): Linked =>
  ({ id, title, locale, head_version })

/** @returns what the record translates, what changed there since, and what translates it. @throws not_found */
export const readTranslation = async (db: Db, workspaceId: string, id: string): Promise<ContentTranslation> => {
  const row = await requireContent(db, workspaceId, id)
  const { translation_of: sourceId, translated_version: version } = row
  const source = sourceId === null ? undefined : await findSource(db, workspaceId, sourceId)
  const translations = []
  for (const one of await listTranslations(db, workspaceId, row.project_id, id)) {
    const { source_changed } = await requireContent(db, workspaceId, one.id)
    translations.push({ ...linked(one), source_changed })
  }
  return {
    content_id: id,
    source: source ? linked(source) : null,
    source_version: source ? version : null,
    source_changed: row.source_changed,
    changes: source ? await changesOf(db, workspaceId, source.id, version) : null,
    translations,
    revision: row.revision
  }
}

/** Follows the sources of a source; that none of them is in a circle already, each link has seen to. */
const requireNoCircle = async (trx: Db, workspaceId: string, sourceId: string, id: string): Promise<void> => {
  let next: string | null = sourceId
  while (next !== null) {
    if (next === id) throw TranslationCycle()
    const link: Awaited<ReturnType<typeof findLink>> = await findLink(trx, workspaceId, next)
    next = link?.translation_of ?? null
  }
}

const requireSource = async (trx: Db, workspaceId: string, projectId: string, id: string,
  { source_id: sourceId, source_version: version }: SetTranslation) => {
  const source = sourceId === null ? undefined : await findSource(trx, workspaceId, sourceId)
  if (!source || source.project_id !== projectId) throw invalid('/source_id', 'unknown', 'is no record of the project')
  await requireNoCircle(trx, workspaceId, source.id, id)
  const translated = version ?? source.head_version
  await requireVersion(trx, workspaceId, source.id, translated)
  return { translation_of: source.id, translated_version: translated }
}

/**
 * Says of which version of which record this one is the translation. One link of a project is made at a time, so that
 * no two make a circle.
 * @throws not_found, stale_revision, content_archived, invalid_request, translation_cycle
 */
export const setTranslation = async (db: Db, { workspace_id: workspaceId }: Principal, id: string,
  input: SetTranslation, revisions?: number[]): Promise<ContentTranslation> => {
  const { project_id: projectId } = await requireContent(db, workspaceId, id)
  await db.transaction().execute(async (trx) => {
    await lockProject(trx, workspaceId, projectId)
    const row = await lockContent(trx, workspaceId, id)
    if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
    if (row.status === 'archived') throw ContentArchived()
    const link = input.source_id === null
      ? { translation_of: null, translated_version: null }
      : await requireSource(trx, workspaceId, projectId, id, input)
    if (link.translation_of === row.translation_of && link.translated_version === row.translated_version) return
    await updateContent(trx, workspaceId, id, link)
  })
  return readTranslation(db, workspaceId, id)
}
