import { lockContent, type ContentRow } from '../../../../db/content/contents.js'
import { listEngineTexts, updateOutput } from '../../../../db/content/generation-outputs.js'
import type { NewContentEvent } from '../../../../schemas/content/generation-records.js'
import { insertRepairs, insertSuggestions } from '../../../../db/content/suggestions.js'
import { storeJudgements } from '../../../../db/content/statements.js'
import type { Db } from '../../../../db/index.js'
import type { Repaired } from 'steward-prose-engine/revision'
import type { ContentBody } from 'steward-prose-engine/schemas'
import { checkContent, requireVersion } from '../texts/find-content.js'
import { storeVersion } from '../desk/undo-repair.js'
import { readText } from '../text/read-text.js'
import { GenerationFailed } from './model/failures.js'
import type { Work, Written } from './model/work.js'
import type { GenerationState } from './generation-state.js'

const isNewRecord = ({ mode }: GenerationState['row']): boolean =>
  mode === 'create' || mode === 'adapt' || mode === 'translate'

const lock = async (trx: Db, workspaceId: string, id: string) => {
  const row = await lockContent(trx, workspaceId, id)
  if (!row) throw new GenerationFailed('content_deleted', 'The record was deleted meanwhile')
  if (row.status === 'archived') throw new GenerationFailed('content_archived', 'The record was archived meanwhile')
  return row
}

/** @returns what the model changed, passage by passage, each with the finding that it is about */
const modelRepairs = async (trx: Db, workspaceId: string, row: ContentRow, head: ContentBody, body: ContentBody):
Promise<Repaired[]> => {
  const { checks: { findings } } = await checkContent(trx, workspaceId, row, head)
  const changes = await readText('changedPassages', head, body)
  return changes.flatMap(({ was, ...change }) => {
    const own = findings.filter(({ field }) => field === change.field)
    // What no finding is about changed with what one is about.
    const finding = own.find(({ start, end }) => start < was.end && was.start < end) ?? own[0] ?? findings[0]
    return finding ? [{ ...change, finding }] : []
  })
}

const store = async (trx: Db, { row }: GenerationState, work: Work, written: Written): Promise<NewContentEvent[]> => {
  const { workspace_id: workspaceId, id: generationId, created_by: author, request: { preserve } } = row
  const { number, content_id: id } = work.output
  const content = await lock(trx, workspaceId, id)
  const { body: head } = await requireVersion(trx, workspaceId, id, content.head_version)
  const known = await listEngineTexts(trx, workspaceId, id)
  const isNew = isNewRecord(row)
  const { body, suggestions } = await readText('merge',
    { base: work.base, head, proposed: written.body, known, isNew, preserve })
  await storeJudgements(trx, workspaceId, id, generationId, written.judgements)
  const { brand, ...judged } = await checkContent(trx, workspaceId, content, body)
  const isChanged = JSON.stringify(body) !== JSON.stringify(head)
  const origin = isNew && suggestions.length === 0 ? 'generated' as const : 'merged' as const
  if (isChanged) await storeVersion(trx, workspaceId, content, head, { body, origin, author, ...judged })
  if (isChanged && row.mode === 'repair') {
    const of = { content_id: id, version: content.head_version + 1, created_by: author }
    await insertRepairs(trx, workspaceId, of, await modelRepairs(trx, workspaceId, content, head, body))
  }
  await insertSuggestions(trx, workspaceId, id, generationId, suggestions)
  const result_version = isChanged ? content.head_version + 1 : null
  await updateOutput(trx, workspaceId, generationId, {
    number,
    status: 'done',
    proposal: written.body,
    result_version,
    suggestions: suggestions.length,
    refused: written.refused
  })
  return [
    ...suggestions.map(({ target }): NewContentEvent =>
      ({ event: 'suggestion_created', data: { number, content_id: id, target } })),
    { event: 'output_completed', data: { number, content_id: id, result_version, score: judged.checks.score } }
  ]
}

/** Writes an output's text into its record, as the next draft version, in one transaction with its events. */
export const storeOutput = (state: GenerationState, work: Work, written: Written): Promise<void> =>
  state.write({ first: (trx) => store(trx, state, work, written) })
