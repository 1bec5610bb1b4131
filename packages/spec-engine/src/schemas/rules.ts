import { Type, type Static } from '@sinclair/typebox'
import { Words } from './fields.js'
import { levels, requirementKinds } from './document.js'

const closed = { additionalProperties: false }

export const ruleSeverities = ['error', 'warn', 'info', 'off'] as const

const Pattern = Type.String({
  minLength: 1, maxLength: 200, description: 'An RE2 expression: linear time, no look-around, no back-references'
})
const Patterns = Type.Array(Pattern, { minItems: 1, maxItems: 50 })
const IgnoreCase = Type.Optional(Type.Boolean({ description: 'Default: true' }))
const Count = Type.Integer({ minimum: 0, maximum: 100_000 })
const Word = Type.String({ minLength: 1, maxLength: 120 })
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 20 })
const None = Type.Optional(Type.Object({}, closed))

const check = <const T extends string, const O extends Parameters<typeof Type.Object>[0]>(fn: T, options: O) =>
  Type.Object({ fn: Type.Literal(fn), options: Type.Object(options, closed) }, closed)

const bare = <const T extends string>(fn: T) => Type.Object({ fn: Type.Literal(fn), options: None }, closed)

/** The functions that a rule may use: a closed list, none of which runs a user's code. */
export const RuleCheck = Type.Union([
  bare('required'),
  check('pattern', { patterns: Patterns, ignore_case: IgnoreCase }),
  check('forbid', { patterns: Patterns, ignore_case: IgnoreCase }),
  check('substitute', {
    swap: Type.Array(Type.Object({ from: Word, to: Word }, closed), { minItems: 1, maxItems: 200 })
  }),
  check('occurrence', {
    pattern: Pattern, ignore_case: IgnoreCase, min: Type.Optional(Count), max: Type.Optional(Count)
  }),
  check('length', {
    min: Type.Optional(Count), max: Type.Optional(Count), unit: Words(['characters', 'words', 'items'])
  }),
  check('enum', { field: Type.String({ maxLength: 60 }), values: Names }),
  check('schema', { required: Names }),
  check('ears', {
    patterns: Type.Optional(Type.Array(Words(['ubiquitous', 'event', 'state', 'optional', 'unwanted', 'complex']), {
      minItems: 1, maxItems: 6
    }))
  }),
  check('has_acceptance', { min: Type.Integer({ minimum: 1, maximum: 8 }) }),
  check('has_citation', { min: Type.Integer({ minimum: 1, maximum: 20 }) }),
  check('has_verification', {
    methods: Type.Array(Words(['test', 'demonstration', 'inspection', 'analysis']), { minItems: 1, maxItems: 4 })
  }),
  check('readability', { max_grade: Type.Number({ minimum: 1, maximum: 30 }) }),
  bare('glossary_only'),
  check('links_to', { field: Words(['story_ids', 'depends_on', 'standards', 'assumption_ids', 'tasks']) }),
  check('review', {
    question: Type.String({
      minLength: 10, maxLength: 500, description: 'Who approves a version answers it with yes; until then it is open'
    })
  })
], { $id: 'RuleCheck' })
export type RuleCheck = Static<typeof RuleCheck>

const fields = 'statement|title|rationale'
const sections = ['summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'entities', 'interfaces',
  'edge_cases', 'success_criteria', 'risks', 'assumptions', 'open_questions', 'decisions', 'design'] as const

/** The targets of rules: a closed list, not a path language. */
export const RuleTarget = Type.String({
  maxLength: 100,
  pattern: `^(?:document|stories|tasks|acceptance|sections\\.[a-z0-9][a-z0-9_-]{0,62}|requirements(?:\\[(?:kind=(?:${
    requirementKinds.join('|')})|level=(?:${levels.join('|')}))\\])?(?:\\.(?:${fields}))?)$`,
  examples: ['requirements.statement'],
  description: `document, stories, tasks, acceptance, sections.<key> (${sections.join(', ')}, or a template's own), ` +
    'requirements, requirements[kind=…] or requirements[level=…], the last three also with .statement, .title or ' +
    '.rationale'
})

export const StandardRule = Type.Object({
  rule_id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$', examples: ['no-weak-words'] }),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  statement: Type.String({ maxLength: 1000, default: '' }),
  level: Words(levels),
  severity: Words(ruleSeverities),
  target: RuleTarget,
  check: RuleCheck,
  fix: Type.Optional(Words(['deterministic', 'model', 'human'])),
  good: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10, default: [] }),
  bad: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10, default: [] }),
  waivable: Type.Boolean({ default: true })
}, { $id: 'StandardRule', ...closed })
export type StandardRule = Static<typeof StandardRule>
