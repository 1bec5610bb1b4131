import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { ExtractionError } from 'steward-document-reader/extraction'
import type { BriefFact, ProposedSentence } from 'steward-prose-engine/schemas'
import { updateBrief } from '../../../../db/content/briefs.js'
import { findSourceOfBrief, listSources, putSource, type SourceRow } from '../../../../db/content/sources.js'
import type { Db } from '../../../../db/index.js'
import { decodeBase64 } from '../../../../lib/http/text.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Brief } from '../../../../schemas/content/briefs.js'
import {
  maxSourceBytes, type AcceptFacts, type AddSource, type BriefSource, type ReadSource, type SourceParams
} from '../../../../schemas/content/sources.js'
import { NotFound, StateChanged } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { BriefState, invalid, SourcesFull, SourceUnreadable } from '../errors.js'
import { readText } from '../text/read-text.js'
import { describeBrief, readBrief, writableBrief } from './change-brief.js'

type Deps = Pick<FastifyInstance, 'db' | 'extractor' | 'outbound'>

const maxSources = 20
const maxFacts = 200

const refuse = (pointer: string, code: string, message: string) => SourceUnreadable(message, { errors: [{ pointer, code, message }] })

const bytesOf = async ({ outbound }: Deps, input: AddSource) => {
  if (input.kind === 'url') {
    if (input.url === undefined) throw invalid('/url', 'required', 'is needed by kind url')
    const { status, headers, body, url } = await outbound.fetch({ url: input.url, headers: { 'accept-encoding': 'gzip, br' } })
    if (status !== 200) throw refuse('/url', 'url_refused', `The server at the address answered ${status}`)
    const filename = new URL(url).pathname.split('/').at(-1) ?? ''
    return { data: body, name: input.url, filename, mediaType: headers['content-type'] ?? '' }
  }
  if (input.filename === undefined) throw invalid('/filename', 'required', 'is needed by kind file')
  if (input.data === undefined) throw invalid('/data', 'required', 'is needed by kind file')
  const data = decodeBase64(input.data)
  if (!data) throw refuse('/data', 'not_base64', 'The file is not base64')
  if (data.length > maxSourceBytes) {
    throw refuse('/data', 'file_too_large', `The file has ${data.length} bytes, and may have ${maxSourceBytes}`)
  }
  return { data, name: input.filename, filename: input.filename, mediaType: '' }
}

/** @throws source_unreadable with the pointer of what could not be read, and why */
const readInput = async (deps: Deps, input: AddSource): Promise<Pick<SourceRow, 'kind' | 'name' | 'media_type' | 'text'>> => {
  const pointer = input.kind === 'url' ? '/url' : '/data'
  try {
    const { data, name, filename, mediaType } = await bytesOf(deps, input)
    const { text, media_type } = await deps.extractor.extract({ data, filename, mediaType })
    if (text.trim() === '') throw refuse(pointer, 'no_text', 'It has no text; a PDF without text may be a scan')
    return { kind: input.kind, name, media_type, text }
  } catch (error) {
    if (error instanceof ExtractionError || error instanceof OutboundError) throw refuse(pointer, error.code, error.message)
    throw error
  }
}

const isFrom = ({ id }: Pick<SourceRow, 'id'>) => ({ source }: BriefFact): boolean => source.place?.source_id === id

const describe = (row: SourceRow, facts: readonly BriefFact[]): BriefSource => {
  const own = facts.filter(isFrom(row))
  const { id, brief_id, kind, name, read_at } = row
  return {
    id,
    brief_id,
    kind,
    name,
    characters: row.text.length,
    read_at,
    facts: own.length,
    changed: own.filter(({ source }) => source.changed).map((fact) => fact.id)
  }
}

const maxShown = 1000

const show = async (row: SourceRow, facts: readonly BriefFact[]): Promise<ReadSource> => {
  const all = await readText('proposeFacts', row.text, row.media_type)
  const factAt = (start: number) => facts.find((fact) => isFrom(row)(fact) && fact.source.place?.start === start)?.id ?? null
  return {
    ...describe(row, facts),
    proposed: all.slice(0, maxShown).map((one) => ({ ...one, fact_id: factAt(one.start) })),
    omitted: Math.max(0, all.length - maxShown)
  }
}

export const listBriefSources = async (db: Db, workspaceId: string, briefId: string): Promise<{ items: BriefSource[] }> => {
  const { facts } = await readBrief(db, workspaceId, briefId)
  return { items: (await listSources(db, workspaceId, briefId)).map((row) => describe(row, facts)) }
}

/** @throws not_found */
const requireSource = async (db: Db, workspaceId: string, briefId: string, id: string): Promise<SourceRow> => {
  const row = await findSourceOfBrief(db, workspaceId, briefId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws not_found, text_too_complex, overloaded */
export const readSource = async (db: Db, workspaceId: string, briefId: string, id: string): Promise<ReadSource> => {
  const { facts } = await readBrief(db, workspaceId, briefId)
  return show(await requireSource(db, workspaceId, briefId, id), facts)
}

/** Where the sentence of a fact stands now; without it, the fact is marked. */
const follow = (fact: BriefFact, row: SourceRow, sentences: readonly ProposedSentence[]): BriefFact => {
  if (!isFrom(row)(fact)) return fact
  const { changed, ...source } = fact.source
  const there = sentences.filter(({ text }) => text === source.quote)
  const at = there.find(({ start }) => start === source.place?.start) ?? there[0]
  if (!at) return { ...fact, source: { ...source, changed: true } }
  return { ...fact, source: { ...source, place: { source_id: row.id, start: at.start, end: at.end } } }
}

/**
 * Reads a document for a brief; one of the same name, or address, is read again: facts whose sentence is gone are marked.
 * @throws not_found, brief_state, source_unreadable, sources_full, text_too_complex, overloaded
 */
export const addSource = async (deps: Deps, principal: Principal, briefId: string, input: AddSource): Promise<ReadSource> => {
  const { db } = deps
  const { workspace_id: workspaceId, user_id: by } = principal
  const { status } = await readBrief(db, workspaceId, briefId)
  if (status === 'archived') throw BriefState('An archived brief takes no sources; bring it back first')
  const read = await readInput(deps, input)
  const known = await listSources(db, workspaceId, briefId)
  if (known.length >= maxSources && !known.some(({ name }) => name === read.name)) throw SourcesFull()
  const sentences = await readText('proposeFacts', read.text, read.media_type)
  const { row, facts } = await db.transaction().execute(async (trx) => {
    const row = await putSource(trx, workspaceId, briefId, by, read)
    const brief = await readBrief(trx, workspaceId, briefId)
    const facts = brief.facts.map((fact) => follow(fact, row, sentences))
    if (JSON.stringify(facts) !== JSON.stringify(brief.facts)) {
      const changed = await updateBrief(trx, workspaceId, briefId, { ...writableBrief(brief), facts }, [brief.revision])
      if (!changed) throw explainMiss(await readBrief(trx, workspaceId, briefId))
    }
    return { row, facts }
  })
  return show(row, facts)
}

const nextId = (taken: ReadonlySet<string>): string => {
  let number = taken.size + 1
  while (taken.has(`f${number}`)) number++
  return `f${number}`
}

/**
 * A person accepts sentences of a source as facts of the brief, with their place. Those that are facts already stay.
 * @throws not_found, brief_state, stale_revision, state_changed for a source that was read again since it was shown,
 *   invalid_request with a pointer for a number that there is not
 */
export const acceptFacts = async (db: Db, principal: Principal,
  { brief_id: briefId, source_id: id }: Static<typeof SourceParams>, { sentences: numbers, read_at: readAt }: Static<typeof AcceptFacts>,
  revisions?: number[]): Promise<Brief> => {
  const { workspace_id: workspaceId } = principal
  const brief = await readBrief(db, workspaceId, briefId)
  if (revisions && !revisions.includes(brief.revision)) throw explainMiss(brief)
  if (brief.status === 'archived') throw BriefState('An archived brief is not edited; bring it back first')
  const row = await requireSource(db, workspaceId, briefId, id)
  if (row.read_at.getTime() !== Date.parse(readAt)) {
    throw StateChanged('The source was read again since it was shown. Nothing was accepted; look at its sentences, and choose again')
  }
  const { proposed } = await show(row, brief.facts)
  const facts = [...brief.facts]
  for (const [index, number] of numbers.entries()) {
    const sentence = proposed.find((one) => one.number === number)
    if (!sentence) throw invalid(`/sentences/${index}`, 'unknown', 'is no sentence of the source')
    if (sentence.fact_id !== null) continue
    if (facts.length >= maxFacts) throw invalid(`/sentences/${index}`, 'too_many', `is more than the ${maxFacts} facts that a brief has`)
    const { text, start, end } = sentence
    const place = { source_id: id, start, end }
    facts.push({ id: nextId(new Set(facts.map((fact) => fact.id))), text, source: { kind: row.kind, ref: row.name, quote: text, place } })
  }
  if (facts.length === brief.facts.length) return brief
  const changed = await updateBrief(db, workspaceId, briefId, { ...writableBrief(brief), facts }, [brief.revision])
  if (!changed) throw explainMiss(await readBrief(db, workspaceId, briefId))
  return describeBrief(changed)
}
