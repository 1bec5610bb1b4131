import { Type, type Static } from '@sinclair/typebox'
import { severities } from './brand-terms.js'
import { Words } from './fields.js'

const closed = { additionalProperties: false }

export const ruleKinds = [
  'existence', 'substitution', 'occurrence', 'repetition', 'consistency', 'conditional', 'capitalization', 'metric'
] as const
export type RuleKind = typeof ruleKinds[number]

/** A rule of a Vale style, as its file has it, with the defaults that Vale has. */
export const ValeRule = Type.Object({
  name: Type.String(),
  kind: Words(ruleKinds),
  message: Type.String(),
  level: Words(severities),
  scope: Type.Array(Type.String()),
  ignorecase: Type.Boolean(),
  nonword: Type.Boolean(),
  limit: Type.Number({ description: 'The findings of one text, at most; 0 = all' }),
  exceptions: Type.Array(Type.String()),
  tokens: Type.Array(Type.String()),
  raw: Type.Array(Type.String()),
  append: Type.Boolean({ description: 'Whether `raw` comes behind the tokens' }),
  pairs: Type.Array(Type.Tuple([Type.String(), Type.String()]), {
    description: 'substitution and consistency: the one, and the other'
  }),
  replaces: Type.Boolean({ description: 'Whether the file lets the first of the alternatives replace the match' }),
  capitalize: Type.Boolean(),
  token: Type.String(),
  max: Type.Number(),
  min: Type.Number(),
  alpha: Type.Boolean(),
  first: Type.String(),
  second: Type.String(),
  match: Type.String(),
  threshold: Type.Number(),
  indicators: Type.Array(Type.String()),
  formula: Type.String(),
  condition: Type.String()
})
export type ValeRule = Static<typeof ValeRule>

/** A style, as a check needs it. */
export interface Style { name: string, hash: string, rules: ValeRule[] }

export const PutStyle = Type.Object({
  files: Type.Optional(Type.Array(Type.Object({
    path: Type.String({ minLength: 1, maxLength: 200, description: 'Such as Google/Passive.yml' }),
    content: Type.String({ maxLength: 200_000, description: 'The YAML of one rule' })
  }, closed), { minItems: 1, maxItems: 300 })),
  zip_base64: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 1_400_000,
    contentEncoding: 'base64',
    description: 'A package, in place of `files`: 1 MB at most'
  }))
}, { $id: 'PutStyle', ...closed, description: 'Files that end in neither .yml nor .yaml are left out' })
export type PutStyle = Static<typeof PutStyle>

export const RefusedRule = Type.Object({
  rule: Type.String(),
  file: Type.String(),
  reason: Type.String()
}, { $id: 'RefusedRule' })
export type RefusedRule = Static<typeof RefusedRule>
