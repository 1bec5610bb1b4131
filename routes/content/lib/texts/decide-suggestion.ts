import { lockContent } from '../../../../db/content/contents.js'
import { decideSuggestion, lockSuggestion, type NewSuggestion } from '../../../../db/content/suggestions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import type { Content } from '../../../../schemas/content/contents.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { checkContent, requireVersion, readContent } from './find-content.js'
import { storeVersion } from '../desk/undo-repair.js'
import { ContentArchived, SuggestionDecided, SuggestionStale } from '../errors.js'
import { readText } from '../text/read-text.js'

interface Named { content_id: string, suggestion_id: string }

/** @returns the record's text that a suggestion for this target would replace */
export const textAt = async (body: ContentBody, target: string): Promise<string> => {
  if (target === 'body_markdown') return body.body_markdown
  return (await readText('unitsOf', body)).find((unit) => unit.target === target)?.text ?? ''
}

const applySuggestion = async (trx: Db, principal: Principal, id: string, input: NewSuggestion,
  revisions?: number[]): Promise<void> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  const row = await lockContent(trx, workspaceId, id)
  if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
  if (row.status === 'archived') throw ContentArchived('Restore it before it is edited')
  const { body: head } = await requireVersion(trx, workspaceId, id, row.head_version)
  const { target, before, text } = input
  if (await textAt(head, target) !== before) throw SuggestionStale()
  const body = await readText('withUnits', head, [{ target, text }])
  const { brand, ...judged } = await checkContent(trx, workspaceId, row, body)
  await storeVersion(trx, workspaceId, row, head, { body, origin: 'merged', author, ...judged })
}

/** @throws not_found, stale_revision, content_archived, suggestion_decided, suggestion_stale */
export const decide = async (db: Db, principal: Principal, { content_id: id, suggestion_id: suggestion }: Named,
  accept: boolean, revisions?: number[]): Promise<Content> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const status = accept ? 'accepted' as const : 'rejected' as const
  await db.transaction().execute(async (trx) => {
    const found = await lockSuggestion(trx, workspaceId, id, suggestion)
    if (!found) throw NotFound()
    if (found.status === status) return
    if (found.status !== 'open') throw SuggestionDecided(`It was ${found.status}`)
    if (accept) await applySuggestion(trx, principal, id, found, revisions)
    await decideSuggestion(trx, workspaceId, suggestion, status, userId)
  })
  return readContent(db, workspaceId, id)
}
