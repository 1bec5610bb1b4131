import { Type, type Static } from '@sinclair/typebox'
import { Id, Timestamp, Words } from '../common.js'
import { severities } from './brand-terms.js'

const closed = { additionalProperties: false }

export const ruleKinds = [
  'existence', 'substitution', 'occurrence', 'repetition', 'consistency', 'conditional', 'capitalization', 'metric'
] as const
export type RuleKind = typeof ruleKinds[number]

/** A rule of a Vale style, as its file has it, with the defaults that Vale has. */
export interface ValeRule {
  name: string
  kind: RuleKind
  message: string
  level: typeof severities[number]
  scope: string[]
  ignorecase: boolean
  nonword: boolean
  /** The findings of one text, at most; 0 = all. */
  limit: number
  exceptions: string[]
  tokens: string[]
  raw: string[]
  /** Whether `raw` comes behind the tokens. */
  append: boolean
  /** substitution and consistency: the one, and the other. */
  pairs: [string, string][]
  /** Whether the file lets the first of the alternatives replace the match. */
  replaces: boolean
  capitalize: boolean
  token: string
  max: number
  min: number
  alpha: boolean
  first: string
  second: string
  match: string
  threshold: number
  indicators: string[]
  formula: string
  condition: string
}

/** A style, as a check needs it. */
export interface Style { name: string, hash: string, rules: ValeRule[] }

export const StyleParams = Type.Object({
  project_id: Id,
  style: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$', description: 'Its name, such as Google' })
})

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

export const BrandStyleRules = Type.Object({
  name: Type.String(),
  hash: Type.String({ description: 'Of the rules' }),
  rules: Type.Array(Type.Object({
    rule_id: Type.String({ description: 'As findings name it' }),
    kind: Words(ruleKinds),
    severity: Words(severities),
    message: Type.String()
  })),
  refused: Type.Array(RefusedRule, { description: 'What is not applied, and why' }),
  updated_by: Id,
  updated_at: Timestamp
}, { $id: 'BrandStyleRules' })
export type BrandStyleRules = Static<typeof BrandStyleRules>

export const BrandStyleList = Type.Object({ items: Type.Array(BrandStyleRules) }, { $id: 'BrandStyleList' })
