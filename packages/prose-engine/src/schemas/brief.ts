import { Type, type Static } from '@sinclair/typebox'
import { Channel, Locales, Network } from './channels.js'
import { Nullable, Words } from './fields.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const Texts = (maxLength: number, maxItems: number) => Type.Array(Text(maxLength), { maxItems, default: [] })
const FactId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$', examples: ['f1'] })
const Url = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/]+', examples: ['https://example.com/page'] })

export const BriefFact = Type.Object({
  id: FactId,
  text: Text(500),
  source: Type.Object({
    kind: Words(['url', 'spec', 'file', 'text', 'person']),
    ref: Text(2000),
    quote: Type.Optional(Type.String({ maxLength: 2000, description: 'Word for word' })),
    dated: Type.Optional(Type.String({ format: 'date', description: 'When the source said so' })),
    place: Type.Optional(Type.Object({
      source_id: Type.String({ format: 'uuid', description: 'The source, as listBriefSources gives it' }),
      start: Type.Integer({ minimum: 0, description: 'Offset of its first character' }),
      end: Type.Integer({ minimum: 0, description: 'Offset behind its last character' })
    }, { ...closed, description: 'Where the quote stands in a source of the brief, in UTF-16 units' })),
    changed: Type.Optional(Type.Literal(true, { description: 'The source does not have the quote any more' }))
  }, closed)
}, { $id: 'BriefFact', ...closed })
export type BriefFact = Static<typeof BriefFact>

/** A sentence of a source that could be a fact. */
export interface ProposedSentence { number: number, text: string, start: number, end: number, headings: string[] }

export const BriefPoint = Type.Object({
  text: Text(500),
  fact_ids: Type.Array(FactId, { maxItems: 200, default: [] })
}, { $id: 'BriefPoint', ...closed })

export const BriefChannel = Type.Object({
  channel: Channel,
  network: Type.Optional(Network),
  length: Words(['short', 'medium', 'long'], { default: 'medium' }),
  words: Type.Optional(Type.Integer({
    minimum: 20, maximum: 10_000, description: 'About so many, instead of `length`; for a language model'
  }))
}, { $id: 'BriefChannel', ...closed })
export type BriefChannel = Static<typeof BriefChannel>

/** What a text is to say, to whom, and on what it may rest. */
export const BriefBody = Type.Object({
  title: Text(200),
  goal: Type.String({ maxLength: 1000, default: '' }),
  audience_key: Type.Optional(Type.String({ maxLength: 40, description: 'One of the brand\'s audiences' })),
  audience: Type.Optional(Type.String({ maxLength: 500 })),
  key_message: Text(500),
  points: Type.Array(BriefPoint, { minItems: 1, maxItems: 20 }),
  facts: Type.Array(BriefFact, { maxItems: 200, default: [] }),
  cta: Type.Optional(Nullable(Type.Object({ text: Text(200), url: Type.Optional(Url) }, closed))),
  channels: Type.Array(BriefChannel, { minItems: 1, maxItems: 10 }),
  locales: Type.Unsafe<string[]>({
    ...Locales, maxItems: 10, default: [], description: 'Empty: the brand\'s default'
  }),
  keywords: Texts(80, 20),
  must_include: Texts(300, 20),
  must_avoid: Texts(300, 20),
  tone_override: Type.Optional(Type.String({ maxLength: 500 })),
  due_at: Type.Optional(Nullable(Type.String({ format: 'date-time' })))
}, closed)
export type BriefBody = Static<typeof BriefBody>
