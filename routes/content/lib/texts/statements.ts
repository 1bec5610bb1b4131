import { verdicts, type TextStatement } from 'steward-prose-engine/schemas'
import { statementKey } from 'steward-prose-engine/text'
import { lockContent, updateContent } from '../../../../db/content/contents.js'
import { acceptStatement, listStatements } from '../../../../db/content/statements.js'
import { setChecks } from '../../../../db/content/versions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { AcceptStatement, ContentStatements } from '../../../../schemas/content/statements.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { byKey } from '../../../../schemas/unknown.js'
import { brandOf } from '../brands/read-brand.js'
import { namesOf } from '../desk/comment.js'
import { ContentArchived, StatementUnknown } from '../errors.js'
import { readText } from '../text/read-text.js'
import { briefBody, checkContent, listStated, requireContent, requireVersion, type Slot } from './find-content.js'

const maxShown = 1000

const readAll = async (db: Db, workspaceId: string, slot: Slot & { id: string }, version: number): Promise<TextStatement[]> => {
  const { body } = await requireVersion(db, workspaceId, slot.id, version)
  return readText('readStatements', body, {
    brief: await briefBody(db, workspaceId, slot.brief_id),
    brand: (await brandOf(db, workspaceId, slot.project_id)).settings,
    locale: slot.locale,
    stated: await listStated(db, workspaceId, slot.id)
  })
}

const isOpen = ({ verdict }: TextStatement): boolean => verdict === 'not' || verdict === 'partly'

/** @param version default: the newest. @throws not_found, text_too_complex, overloaded */
export const readStatements = async (db: Db, workspaceId: string, id: string, version?: number):
Promise<ContentStatements> => {
  const row = await requireContent(db, workspaceId, id)
  const shown = version ?? row.head_version
  const all = await readAll(db, workspaceId, row, shown)
  const accepted = new Map((await listStatements(db, workspaceId, id)).filter((one) => one.accepted_by !== null)
    .map((one) => [statementKey(one.text), one]))
  const nameOf = await namesOf(db, workspaceId, [...accepted.values()].map((one) => one.accepted_by))
  const items = all.map((one) => {
    const by = accepted.get(statementKey(one.text))
    if (!by?.accepted_by || !by.accepted_at) return { ...one, accepted: null }
    return { ...one, accepted: { by: nameOf(by.accepted_by), at: by.accepted_at, because: by.accepted_because } }
  })
  return {
    version: shown,
    counts: byKey([...verdicts, 'unchecked'], (verdict) => all.filter((one) => one.verdict === verdict).length),
    open: items.filter((one) => one.accepted === null && isOpen(one)).length,
    items: items.slice(0, maxShown),
    omitted: Math.max(0, items.length - maxShown)
  }
}

/**
 * A person takes a statement of the newest version on themselves: it keeps the text unapproved no more, as long as its
 * words stay. Again = the same answer.
 * @throws not_found, stale_revision, content_archived, statement_unknown
 */
export const takeOn = async (db: Db, principal: Principal, id: string, { text, because }: AcceptStatement,
  revisions?: number[]): Promise<ContentStatements> => {
  const { workspace_id: workspaceId, user_id: by } = principal
  const before = await requireContent(db, workspaceId, id)
  const known = await readAll(db, workspaceId, before, before.head_version)
  const meant = known.find((one) => statementKey(one.text) === statementKey(text))
  await db.transaction().execute(async (trx) => {
    const row = await lockContent(trx, workspaceId, id)
    if (!row || (revisions && !revisions.includes(row.revision)) || row.head_version !== before.head_version) {
      throw explainMiss(row)
    }
    if (row.status === 'archived') throw ContentArchived()
    if (!meant) throw StatementUnknown()
    await acceptStatement(trx, workspaceId, id, { text: meant.text, by, because: because ?? null })
    const { body } = await requireVersion(trx, workspaceId, id, row.head_version)
    const { checks } = await checkContent(trx, workspaceId, row, body)
    await setChecks(trx, workspaceId, id, row.head_version, checks)
    await updateContent(trx, workspaceId, id, { score: checks.score, verdict: checks.verdict })
  })
  return readStatements(db, workspaceId, id)
}
