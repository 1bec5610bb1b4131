import { createHash } from 'node:crypto'
import { chunkInput, materialKinds, sentenceKey } from 'steward-spec-engine/engine'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { Db } from '../../../../db/index.js'
import { findProposal } from '../../../../db/pse/generations.js'
import {
  insertInput, listInputs, type InputRow, type NewInputRow, supersedeDecision
} from '../../../../db/pse/inputs.js'
import { updateSession, type SessionRow } from '../../../../db/pse/sessions.js'
import { findVersion, insertVersion, updateChecks, type VersionRow } from '../../../../db/pse/versions.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { maxInputs, maxSessionText, type NewInput, type InputOf } from '../../../../schemas/pse/inputs.js'
import { isObject } from '../../../../schemas/unknown.js'
import { type Deps, InputsTooLong, TooManyInputs, BaseVersionStale, NoVersion, TargetUnknown } from '../errors.js'
import { runInProcess } from '../process/run-in-process.js'
import { readSources } from '../read-material.js'
import { holdSession, readSession, requireUnarchived } from '../sessions/read-version.js'
import { checkSpec } from '../sessions/check-spec.js'
import { applyEdit, decidedSentences } from './apply-edit.js'
import { blockingOf } from './describe-input.js'
import { extractInput, type Extracted } from './extract-input.js'

/** One input and its session, in the transaction that adds the input, under the session's lock. */
interface Acting { trx: Db, row: SessionRow, userId: string, pointer: string, seq: number }

const readCurrent = async ({ trx, row }: Acting): Promise<VersionRow> => {
  const session = await readSession(trx, row.workspace_id, row.id)
  if (session.current_version === null) throw NoVersion()
  const current = await findVersion(trx, row.workspace_id, row.id, session.current_version)
  if (!current) throw NoVersion()
  return current
}

/** @returns the ids that block, without those that were answered since the version before was made */
const stillBlocking = async ({ trx, row }: Acting, current: SpecDocument, next: SpecDocument): Promise<string[]> => {
  const { blocking } = await readSession(trx, row.workspace_id, row.id)
  const answered = blockingOf(current).filter((id) => !blocking.includes(id))
  return blockingOf(next).filter((id) => !answered.includes(id))
}

const edit = async (acting: Acting, { base_version, ops }: InputOf<'edit'>): Promise<void> => {
  const { trx, row, userId, pointer } = acting
  const current = await readCurrent(acting)
  if (current.version !== base_version) {
    throw BaseVersionStale(`Version ${current.version} is current`, { current_version: current.version })
  }
  const version = current.version + 1
  // Only what a generation made has an id in it: other edits need not read a whole document more.
  const isSuggested = ops.some(({ value }) => isObject(value) && 'id' in value)
  const proposal = isSuggested ? await findProposal(trx, row.workspace_id, row.id) : undefined
  const { inputs_seq, standards } = current
  const keys = decidedSentences(ops)
  const inputs = keys.length > 0 ? await readSources(trx, row.workspace_id, row.id, inputs_seq) : []
  const found = keys.length > 0 ? await runInProcess('findSentences', inputs, current.document, keys, version) : []
  const sentences = new Map(found.map((one) => [sentenceKey(one), one]))
  const edited = applyEdit(current.document, ops, pointer, version, sentences, proposal)
  const document = keys.length > 0 ? await runInProcess('listRest', edited, inputs) : edited
  const blocking = await stillBlocking(acting, current.document, document)
  const of = { workspace_id: row.workspace_id, session_id: row.id }
  const checks = await checkSpec(trx, { ...of, document, inputs_seq, standards, base: current.document })
  await insertVersion(trx, row.workspace_id, row.id, {
    version,
    parent_version: current.version,
    generation_id: null,
    origin: 'edited',
    inputs_seq,
    document,
    standards,
    checks,
    created_by: userId
  })
  await updateSession(trx, row.workspace_id, row.id,
    { current_version: version, approved: false, blocking: JSON.stringify(blocking) })
}

/** No later generation reads a superseded decision. */
const supersede = async ({ trx, row: { workspace_id, id }, pointer, seq }: Acting, decision: string): Promise<void> => {
  const chars = await supersedeDecision(trx, workspace_id, id, decision, seq)
  if (chars === undefined) {
    const message = 'is no decision of this session that still holds'
    throw TargetUnknown(`${pointer}/supersedes ${message}`,
      { errors: [{ pointer: `${pointer}/supersedes`, code: 'target_unknown', message }] })
  }
  const { input_chars: before } = await readSession(trx, workspace_id, id)
  await updateSession(trx, workspace_id, id, { input_chars: before - chars })
}

/** Removes answered questions from the blocking ones; the next generation reads the answer. */
const settle = async (acting: Acting, ids: readonly string[], requireExisting: boolean): Promise<void> => {
  const { trx, row, pointer } = acting
  const { document } = await readCurrent(acting)
  const unknown = ids.find((id) => !document.open_questions.some((question) => question.id === id))
  if (requireExisting && unknown !== undefined) {
    const message = 'is no question of the current version'
    throw TargetUnknown(`${pointer}/question_id ${message}`,
      { errors: [{ pointer: `${pointer}/question_id`, code: 'target_unknown', message }] })
  }
  const { blocking } = await readSession(trx, row.workspace_id, row.id)
  await updateSession(trx, row.workspace_id, row.id, {
    blocking: JSON.stringify(blocking.filter((id) => !ids.includes(id))), approved: false
  })
}

const recheck = async (acting: Acting): Promise<void> => {
  const { trx, row } = acting
  const { version, document, inputs_seq, standards, reviews, parent_version: parent } = await readCurrent(acting)
  const base = parent === null ? undefined : await findVersion(trx, row.workspace_id, row.id, parent)
  const of = { workspace_id: row.workspace_id, session_id: row.id }
  const checks = await checkSpec(trx, { ...of, document, inputs_seq, standards, reviews, base: base?.document })
  await updateChecks(trx, row.workspace_id, row.id, version, checks)
}

const act = async (acting: Acting, input: NewInput): Promise<void> => {
  const hasVersion = acting.row.current_version !== null
  if (input.kind === 'decision' && input.supersedes !== undefined) await supersede(acting, input.supersedes)
  if (input.kind === 'edit') return edit(acting, input)
  if (input.kind === 'answer') return settle(acting, [input.question_id], true)
  if (input.kind === 'decision' && hasVersion) return settle(acting, input.text.match(/\bQ-\d+\b/g) ?? [], false)
  if (input.kind === 'waiver') return recheck(acting)
}

/** @throws base_version_stale, no_version, target_unknown, edit_invalid, item_locked */
const actOnInputs = async (trx: Db, row: SessionRow, userId: string, inputs: readonly NewInput[]):
Promise<void> => {
  for (const [at, input] of inputs.entries()) {
    await act({ trx, row, userId, pointer: `/inputs/${at}`, seq: row.next_seq + at }, input)
  }
}

const toRow = (input: Extracted): NewInputRow => ({
  label: '',
  truncated: false,
  pages: null,
  source_key: null,
  about: null,
  detail: null,
  ...input,
  ...(input.label === undefined && { label: '' }),
  sha256: createHash('sha256').update(input.text).digest('hex'),
  // Reading a chunk prefixes its id with the id of its input, which does not exist yet.
  chunks: chunkInput('', input.text, input.media_type)
})

const requireRoom = (row: SessionRow, inputs: NewInputRow[]): void => {
  if (row.next_seq - 1 + inputs.length > maxInputs) throw TooManyInputs(`It holds ${row.next_seq - 1} of ${maxInputs}`)
  const chars = inputs.reduce((sum, { text }) => sum + text.length, row.input_chars)
  if (chars <= maxSessionText) return
  throw InputsTooLong(`With these it would hold ${chars} characters of ${maxSessionText}`)
}

const store = async (trx: Db, row: SessionRow, userId: string, inputs: NewInputRow[]): Promise<void> => {
  let chars = row.input_chars
  for (const [at, input] of inputs.entries()) {
    const replaced = await insertInput(trx, row.workspace_id, row.id, userId, row.next_seq + at, input)
    chars += input.text.length - replaced
  }
  const touches = inputs.some(({ kind }) => materialKinds.includes(kind))
  await updateSession(trx, row.workspace_id, row.id, {
    next_seq: row.next_seq + inputs.length,
    input_chars: chars,
    ...(row.current_version !== null && touches && { stale: true })
  })
}

/** How many inputs are fetched at once. */
const parallel = 4

/** The requested inputs, with the rows to store for them. */
export interface Prepared { inputs: readonly NewInput[], rows: NewInputRow[] }

/** Fetches and reads inputs without writing anything. @throws inputErrors, each with its pointer */
export const prepareInputs = async (deps: Deps, principal: Principal, inputs: readonly NewInput[]):
Promise<Prepared> => {
  const rows: NewInputRow[] = []
  for (let at = 0; at < inputs.length; at += parallel) {
    const some = inputs.slice(at, at + parallel)
    rows.push(...(await Promise.all(some.map((input, index) => extractInput({ deps, principal }, input, at + index))))
      .map(toRow))
  }
  return { inputs, rows }
}

/**
 * Stores prepared inputs, in the caller's transaction.
 * @throws not_found, session_archived, too_many_inputs, inputs_too_long, what actOnInputs throws
 */
export const storeInputs = async (trx: Db, { workspace_id, user_id }: Principal, id: string,
  { inputs, rows }: Prepared): Promise<InputRow[]> => {
  if (rows.length === 0) return []
  const row = await holdSession(trx, workspace_id, id)
  requireUnarchived(row)
  requireRoom(row, rows)
  await store(trx, row, user_id, rows)
  await actOnInputs(trx, row, user_id, inputs)
  return listInputs(trx, workspace_id, id, row.next_seq - 1, rows.length)
}

/** Adds inputs, all or none. @throws what prepareInputs and storeInputs throw */
export const addInputs = async (deps: Deps, principal: Principal, id: string, inputs: readonly NewInput[]):
Promise<InputRow[]> => {
  requireUnarchived(await readSession(deps.db, principal.workspace_id, id))
  const prepared = await prepareInputs(deps, principal, inputs)
  return deps.db.transaction().execute((trx) => storeInputs(trx, principal, id, prepared))
}
