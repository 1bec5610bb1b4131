import { Type, type Static } from '@sinclair/typebox'
import { Words } from './fields.js'
import { severities } from './brand-terms.js'
import { Channels } from './channels.js'

const exempted = {
  rule_id: Type.String({
    pattern: '^(?:CNT-[A-Z]{3}-[A-Z0-9-]{1,40}|VALE-[A-Za-z0-9_.-]{1,120})$',
    examples: ['CNT-VOI-SENTENCE-LENGTH'],
    description: 'As a finding names it'
  }),
  match: Type.Optional(Type.String({ maxLength: 300, description: 'Only findings of this text; none = all' })),
  reason: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' })
}

export const BrandException = Type.Object({
  ...exempted, channels: Type.Optional(Channels)
}, { $id: 'BrandException', additionalProperties: false })

export const Waiver = Type.Object({
  ...exempted,
  passage: Type.Optional(Type.String({
    minLength: 3, maxLength: 2000, description: 'Only in paragraphs with this text, wherever they move'
  }))
}, { $id: 'Waiver', additionalProperties: false })
export type Waiver = Static<typeof Waiver>

export const ReportFinding = Type.Object({
  rule_id: Type.String({
    description: 'Stable: terms CNT-BRD, voice CNT-VOI, inclusive CNT-INC, facts CNT-FCT, channel CNT-CHN, search ' +
      'CNT-SEO, structure CNT-STR, duplicates CNT-DUP, language CNT-LOC; of an uploaded style VALE-<style>.<rule>'
  }),
  severity: Words(severities),
  field: Type.String({ description: 'title, summary, body_markdown, seo.title, fields.posts.0 …' }),
  start: Type.Integer({ description: 'Offset in the field, in UTF-16 units' }),
  end: Type.Integer(),
  match: Type.String(),
  message: Type.String(),
  suggestions: Type.Array(Type.String()),
  fixable: Type.Boolean({ description: 'The first suggestion can replace the match as it is' }),
  waived: Type.Boolean(),
  waived_because: Type.Optional(Type.String({ description: 'The reason of the waiver, or of the brand\'s exception' })),
  points: Type.Optional(Type.Number({ description: 'What it costs; those of all findings add up to what 100 lacks' }))
}, { $id: 'ReportFinding' })
export type ReportFinding = Static<typeof ReportFinding>

export const BrandReport = Type.Object({
  linter_version: Type.Integer(),
  ruleset_hash: Type.String({ description: 'Of the rules and the brand\'s settings that they read' }),
  brand_version: Type.Integer(),
  score: Type.Integer({ minimum: 0, maximum: 100, description: '100 less the deductions, rounded' }),
  verdict: Words(['pass', 'pass_with_warnings', 'fail'] as const, {
    description: 'fail: an error that is not waived, whatever the score'
  }),
  deductions: Type.Array(Type.Object({ rule_id: Type.String(), count: Type.Integer(), points: Type.Number() })),
  findings: Type.Array(ReportFinding, { description: 'The first 300' }),
  waivers: Type.Array(Waiver),
  unchecked: Type.Optional(Type.Array(Type.Object({
    what: Words(['meaning', 'facts', 'names', 'spelling', 'grammar'] as const), why: Type.String()
  }), { description: 'What the score says nothing about' })),
  metrics: Type.Object({
    words: Type.Integer(),
    sentences: Type.Integer(),
    grade: Type.Number({ description: 'Flesch–Kincaid; 0 for other languages than English' }),
    passive_pct: Type.Number(),
    avg_sentence_words: Type.Number()
  })
}, {
  $id: 'BrandReport',
  description: 'The same text, brand version, brief and linter version give the same report on the same day'
})
export type BrandReport = Static<typeof BrandReport>
