import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { InputRow } from '../../../../db/pse/inputs.js'
import type { SpecInput } from '../../../../schemas/pse/inputs.js'

/** @returns the ids of the open questions that block approval */
export const blockingOf = ({ open_questions: questions }: SpecDocument): string[] =>
  questions.filter(({ blocking, status }) => blocking && status === 'open').map(({ id }) => id)

/** Estimates four characters for a token, as English has them. */
export const tokensOf = (chars: number): number => Math.ceil(chars / 4)

export const describeInput = (row: InputRow): SpecInput => ({
  input_id: row.id,
  seq: row.seq,
  kind: row.kind,
  label: row.label,
  source: row.source,
  trust: row.trust,
  status: row.superseded_by === null ? 'ready' : 'superseded',
  content: {
    media_type: row.media_type,
    bytes: row.bytes,
    chars: row.chars,
    sha256: row.sha256,
    token_estimate: tokensOf(row.chars),
    truncated: row.truncated,
    pages: row.pages,
    chunks: row.chunks
  },
  created_by: row.created_by,
  created_at: row.created_at
})
