import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words } from '../common.js'

const closed = { additionalProperties: false }

export const maxSourceBytes = 10 * 1_048_576
/** Bytes of a request: large enough that a file of 11 MiB in base64 gets an answer in our words. */
export const maxSourceBody = 16 * 1_048_576

/** One object for both kinds, so that it is one form and one tool. */
export const AddSource = Type.Object({
  kind: Words(['file', 'url']),
  filename: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Of a file', examples: ['report.docx'] })),
  data: Type.Optional(Type.String({
    description: 'Of a file: base64, up to 10 MiB: Markdown, text, CSV, HTML, PDF, Word (.docx)'
  })),
  url: Type.Optional(Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/]+', examples: ['https://example.com/press'] }))
}, { $id: 'AddBriefSource', ...closed })
export type AddSource = Static<typeof AddSource>

export const ProposedFact = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Of the sentence in the source' }),
  text: Type.String(),
  start: Type.Integer({ description: 'Offset in the text of the source, in UTF-16 units' }),
  end: Type.Integer(),
  headings: Type.Array(Type.String(), { description: 'Under which it stands, the outermost first' }),
  fact_id: Nullable(Type.String({ description: 'The fact of the brief that was accepted from it' }))
}, { $id: 'ProposedFact' })

export const BriefSource = Type.Object({
  id: Id,
  brief_id: Id,
  kind: Words(['file', 'url']),
  name: Type.String({ description: 'The name of the file, or the address' }),
  characters: Type.Integer({ description: 'Of its text' }),
  read_at: Timestamp,
  facts: Type.Integer({ description: 'How many facts of the brief are from it' }),
  changed: Type.Array(Type.String(), { description: 'Facts whose sentence it does not have any more' })
}, { $id: 'BriefSource' })
export type BriefSource = Static<typeof BriefSource>

export const BriefSources = Type.Object({
  items: Type.Array(BriefSource, { maxItems: 20 })
}, { $id: 'BriefSources' })

export const ReadSource = Type.Object({
  ...BriefSource.properties,
  proposed: Type.Array(ProposedFact, { maxItems: 1000, description: 'Its sentences, in order; none is a fact before you accept it' }),
  omitted: Type.Integer({ minimum: 0, description: 'Sentences after the first thousand' })
}, { $id: 'ReadBriefSource' })
export type ReadSource = Static<typeof ReadSource>

export const AcceptFacts = Type.Object({
  sentences: Type.Array(Type.Integer({ minimum: 1, maximum: 1000 }), {
    minItems: 1, maxItems: 200, uniqueItems: true, description: 'Numbers of proposed facts'
  }),
  read_at: Type.String({
    format: 'date-time', description: 'That of the source as it was shown: read again since, its numbers may name other sentences'
  })
}, { $id: 'AcceptBriefFacts', ...closed })

export const SourceParams = Type.Object({ brief_id: Id, source_id: Id })
