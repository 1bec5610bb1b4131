import { createHash } from 'node:crypto'
import { insertInput, listInputs, type InputRow, type NewInputRow } from '../../../../db/pse/inputs.js'
import { updateSession, type SessionRow } from '../../../../db/pse/sessions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { maxInputs, maxSessionText, type NewInput } from '../../../../schemas/pse/inputs.js'
import { holdSession, readSession, requireUnarchived } from '../sessions/change-session.js'
import type { Deps } from '../deps.js'
import { chunkInput, materialKinds } from 'steward-spec-engine/engine'
import { actOnInputs } from './act-on-inputs.js'
import { extractInput } from './extract-input.js'
import { InputsTooLong, TooManyInputs } from '../errors.js'

/** An input after fetching and extracting its text. */
export interface Extracted extends Omit<NewInputRow, 'chunks' | 'sha256' | 'truncated' | 'pages' | 'source_key' |
  'about' | 'detail' | 'label'> {
  label?: string | undefined
  truncated?: boolean
  pages?: number | null
  source_key?: string | null
  about?: NewInputRow['about']
  detail?: unknown
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
