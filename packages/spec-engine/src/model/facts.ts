import { chunkAt, maxQuote, type Source } from '../engine/material.js'
import { matchQuote } from '../engine/match-quote.js'
import type { GenerationTask } from '../engine/task.js'
import { triage, type Unit } from '../engine/triage.js'
import { batchesOf, type Batch } from './batches.js'
import type { FactsAnswer } from './sections.js'

/** A passage of the inputs, and what it is: the later questions read these instead of the inputs. */
export interface Fact { chunk_id: string, kind: string, quote: string }

/** Characters of the facts that one later question carries. */
const maxChars = 48_000

/** What a fact costs beside its quote: the chunk's id and the kind. */
const perFact = 80

interface Placed extends Fact { start: number, end: number }

/** What the later sections are made of, the most important first; demands have questions of their own. */
const ranks: Record<string, number> = Object.fromEntries([
  'story goal problem summary',
  'non_goal question actor success decision',
  'term risk edge_case assumption',
  'normative'
].flatMap((kinds, rank) => kinds.split(' ').map((kind) => [kind, rank])))

const ofSections: Partial<Record<NonNullable<Unit['role']>, string>> = {
  goals: 'goal',
  problem: 'problem',
  summary: 'summary',
  assumptions: 'assumption',
  risks: 'risk',
  success: 'success',
  glossary: 'term',
  actors: 'actor',
  edge_cases: 'edge_case',
  decisions: 'decision'
}

/** The reader grades what the model says: a passage that is not in the chunk is none. */
const prove = (source: Source, { facts }: FactsAnswer): Placed[] => facts.flatMap((fact) => {
  const found = matchQuote(source, fact.chunk_id, fact.quote)
  if (!found) return []
  const { char_start: start, char_end: end, quote } = found
  return [{ chunk_id: found.chunk_id, kind: fact.kind, quote, start, end }]
})

/** What the reader makes of a sentence, in the words that a model has for facts. */
const kindOf = ({ fate, role, start, end }: Unit) => {
  if (fate === 'requirement') return { kind: 'normative', start, end }
  if (fate === 'story' || fate === 'question') return { kind: fate, start, end }
  const kind = fate === 'note' && role ? ofSections[role] : undefined
  return kind === undefined ? undefined : { kind, start, end }
}

/** What the reader knows of the part, whatever the model stated. */
const readFacts = (source: Source, units: readonly Unit[]): Placed[] => units
  .flatMap((unit) => kindOf(unit) ?? []).map(({ kind, start, end }) => ({
    chunk_id: chunkAt(source.chunks, start)?.chunk_id ?? '',
    kind,
    quote: source.text.slice(start, Math.min(end, start + maxQuote)).toWellFormed(),
    start,
    end
  }))

const unite = (read: readonly Placed[], stated: readonly Placed[]): Placed[] => {
  const isNew = ({ start, end }: Placed) => !read.some((one) => one.start < end && one.end > start)
  return [...read, ...stated.filter(isNew)].sort((one, other) => one.start - other.start)
}

const factsOf = (batch: Batch, answer: FactsAnswer | undefined, all: readonly Unit[]): Placed[] => {
  const from = batch.chunks[0]?.char_start ?? 0
  const to = batch.chunks.at(-1)?.char_end ?? 0
  const units = all.filter(({ start }) => start >= from && start < to)
  return unite(readFacts(batch.source, units), answer ? prove(batch.source, answer) : [])
}

/** Takes from each part in turn, so that what is left out is not one document's end. */
const limit = (parts: readonly Placed[][]): Placed[] => {
  const chosen = new Set<Placed>()
  let room = maxChars
  for (const rank of [0, 1, 2, 3]) {
    const queues = parts.map((part) => part.filter(({ kind }) => (ranks[kind] ?? 1) === rank))
    for (let at = 0; queues.some((queue) => at < queue.length); at++) {
      for (const queue of queues) {
        const fact = queue[at]
        if (!fact || fact.quote.length + perFact > room) continue
        chosen.add(fact)
        room -= fact.quote.length + perFact
      }
    }
  }
  return parts.flatMap((part) => part.filter((fact) => chosen.has(fact)))
}

/**
 * Makes of the model's answers to the parts of large inputs what the questions about the whole carry. The reader proves
 * each passage, and adds what the model passed over; what has no room there still has its part's own question.
 * @param answers by the number of the part, from 1
 */
export const gradeFacts = (task: GenerationTask, answers: Readonly<Record<number, FactsAnswer>>): Fact[] => {
  const { locale } = task.session.settings
  const units = new Map<Source, Unit[]>()
  const parts = batchesOf(task).map((batch, at) => {
    const { source } = batch
    const read = units.get(source) ?? triage(source, locale)
    units.set(source, read)
    return factsOf(batch, answers[at + 1], read)
  })
  return limit(parts).map(({ chunk_id, kind, quote }) => ({ chunk_id, kind, quote }))
}
