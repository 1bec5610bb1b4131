import { Type, type Static } from '@sinclair/typebox'
import { Words } from './fields.js'
import { Channel, channels, networks } from './channels.js'
import { byKey } from './values.js'

const closed = { additionalProperties: false }
const Line = Type.String({ minLength: 1, maxLength: 500 })
const lines = (maxItems: number) => Type.Array(Line, { maxItems, default: [] })
const Level = (minimum: number, value: number) =>
  Type.Integer({ minimum, maximum: minimum === 0 ? 3 : 5, default: value })

export const BrandVoice = Type.Object({
  summary: Type.String({ maxLength: 1000, default: '' }),
  principles: lines(10),
  persona: Type.String({ maxLength: 1000, default: '' }),
  do: lines(20),
  dont: lines(20),
  samples: Type.Array(Type.Object({
    title: Type.String({ maxLength: 200 }), text: Type.String({ minLength: 1, maxLength: 4000 })
  }, closed), { maxItems: 5, default: [] }),
  pairs: Type.Array(Type.Object({
    bad: Line, good: Line, note: Type.Optional(Type.String({ maxLength: 500 }))
  }, closed), { maxItems: 10, default: [] })
}, { $id: 'BrandVoice', ...closed, default: {} })

const tone = {
  formality: Level(1, 3), energy: Level(1, 3), warmth: Level(1, 3), confidence: Level(1, 3), humor: Level(0, 0)
}
export const BrandTone = Type.Object(tone, { $id: 'BrandTone', ...closed, default: {} })
export type BrandTone = Static<typeof BrandTone>

const perChannel = <T>(part: object) => Type.Unsafe<Partial<Record<typeof channels[number], T>>>({
  type: 'object', properties: Object.fromEntries(channels.map((channel) => [channel, part])), default: {}, ...closed
})
export const ToneByChannel = perChannel<BrandTone>({ ...Type.Object(tone, closed) })

export const BrandAudience = Type.Object({
  key: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$', examples: ['developers'] }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ maxLength: 500, default: '' }),
  max_grade: Type.Optional(Type.Number({ minimum: 1, maximum: 30 })),
  jargon: Words(['avoid', 'allow'], {
    default: 'avoid', description: 'avoid: abbreviations that the text does not explain are found'
  })
}, { $id: 'BrandAudience', ...closed })

const Count = (value: number, maximum = 1000) => Type.Integer({ minimum: 0, maximum, default: value })

export const BrandStyle = Type.Object({
  spelling: Words(['en-US', 'en-GB', 'any', 'off'], {
    default: 'any', description: 'Of English; other languages have a dictionary. off: no spelling is checked'
  }),
  person: Words(['first', 'second', 'third', 'any'], { default: 'any' }),
  heading_case: Words(['sentence', 'title', 'any'], { default: 'any' }),
  heading_case_by_level: Type.Object(
    byKey(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], () => Type.Optional(Words(['sentence', 'title', 'any']))),
    { ...closed, default: {}, description: 'Where a level differs; h1 is the title, too' }),
  contractions: Words(['require', 'allow', 'avoid'], { default: 'allow' }),
  oxford_comma: Words(['require', 'avoid', 'any'], { default: 'any' }),
  max_sentence_words: Count(35, 200),
  max_paragraph_sentences: Count(8, 100),
  max_grade: Type.Number({ minimum: 1, maximum: 30, default: 14 }),
  max_passive_pct: Type.Integer({ minimum: 0, maximum: 100, default: 25 }),
  max_exclamations: Count(1, 100),
  emoji: Words(['none', 'sparse', 'any'], { default: 'sparse' }),
  cliches: Type.Array(Type.String({ minLength: 2, maxLength: 120 }), { maxItems: 200, default: [] }),
  inclusive: Words(['off', 'suggest', 'warn'], { default: 'suggest' })
}, { $id: 'BrandStyle', ...closed, default: {} })

export const BrandClaims = Type.Object({
  forbidden: Type.Array(Type.String({ minLength: 2, maxLength: 300 }), { maxItems: 100, default: [] }),
  disclaimers: Type.Array(Type.Object({
    key: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$', examples: ['risk'] }),
    text: Type.String({ minLength: 1, maxLength: 2000 }),
    required_on: Type.Array(Channel, { maxItems: channels.length })
  }, closed), { maxItems: 20, default: [] })
}, { $id: 'BrandClaims', ...closed, default: {} })

const SocialNetwork = Type.Object({
  enabled: Type.Boolean({ default: true }),
  limit: Type.Optional(Type.Integer({ minimum: 20, maximum: 100_000, description: 'Below the network\'s own' })),
  max_hashtags: Count(3, 30)
}, { ...closed, default: {} })
const Long = Type.Object({
  min_words: Count(0, 100_000), max_words: Count(5000, 100_000), h2_min: Count(0, 50)
}, { ...closed, default: {} })

export const BrandChannels = Type.Object({
  blog: Long,
  docs: Long,
  landing: Long,
  release_notes: Long,
  email: Type.Object({ subject_max: Count(60, 300), preheader_max: Count(110, 300) }, { ...closed, default: {} }),
  social: Type.Object(
    byKey(networks, () => SocialNetwork), { ...closed, default: {} })
}, { $id: 'BrandChannels', ...closed, default: {} })

export const BrandSeo = Type.Object({
  title_min: Count(30, 200),
  title_max: Count(60, 200),
  description_min: Count(70, 500),
  description_max: Count(160, 500),
  title_template: Type.Optional(Type.String({
    maxLength: 200,
    pattern: '\\{title\\}',
    examples: ['{title} – Example'],
    description: 'What targets get as the title for search: "{title} | Larkspur"'
  })),
  canonical_base: Type.Optional(Type.String({
    maxLength: 500, pattern: '^https://[^\\s/]+', examples: ['https://example.com']
  }))
}, { $id: 'BrandSeo', ...closed, default: {} })
