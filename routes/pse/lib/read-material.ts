import { readMaterial } from '../../../db/pse/inputs.js'
import type { SessionRow } from '../../../db/pse/sessions.js'
import type { Db } from '../../../db/index.js'
import type { Chunk } from 'steward-spec-engine/schemas'
import { fieldsOf } from '../../../schemas/unknown.js'
import type { SessionView, Source } from 'steward-spec-engine/engine'

export const viewOf = (row: SessionRow): SessionView => {
  const { title, description, spec_type, profile, notation, locale, artifacts, options } = row
  const { implementation_free, require_citations, max_requirements } = options
  const form = { spec_type, profile, notation, locale, artifacts }
  return { title, description, settings: { ...form, implementation_free, require_citations, max_requirements } }
}

/** @returns where an input without a label comes from: citations must name it; '' = it was typed */
const originOf = (source: unknown): string => {
  const { filename, path, url, number, paths } = fieldsOf(source)
  if (Array.isArray(paths) && typeof paths[0] === 'string') {
    return paths.length > 1 ? `${paths[0]} and ${paths.length - 1} more` : paths[0]
  }
  const name = [filename, path, url].find((one) => typeof one === 'string')
  return String(name ?? (typeof number === 'number' ? `issue #${number}` : ''))
}

/** @returns the session's inputs up to a seq, in the form that the engines read */
export const readSources = async (db: Db, workspaceId: string, sessionId: string, upTo: number): Promise<Source[]> => {
  const { inputs, chunks } = await readMaterial(db, workspaceId, sessionId, upTo)
  const bySeq = new Map<number, Chunk[]>()
  const ids = new Map(inputs.map(({ seq, id }) => [seq, id]))
  for (const { input_seq: seq, number, ...chunk } of chunks) {
    const held = bySeq.get(seq) ?? []
    held.push({ chunk_id: `${ids.get(seq)}#${number}`, ...chunk })
    bySeq.set(seq, held)
  }
  return inputs.map(({ id, seq, label, source, about, trust: _, detail, sha256: __, left_out: leftOut, ...rest }) => ({
    ...rest,
    label: label === '' ? originOf(source) : label,
    input_id: id,
    seq,
    chunks: bySeq.get(seq) ?? [],
    ...(about && { about }),
    ...(leftOut !== null && { leftOut }),
    // fromFiles in extract-input.ts stored it.
    ...(rest.kind === 'spec' && detail !== null && { given: detail as NonNullable<Source['given']> })
  }))
}
