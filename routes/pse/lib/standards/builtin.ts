import type { StandardRow } from '../../../../db/pse/standards.js'
import type { StandardRule } from 'steward-spec-engine/schemas'
import type { StandardContent } from '../../../../schemas/pse/standards.js'

/** A standard that comes with Steward: read-only, and the same in every workspace. */
export interface Builtin { row: StandardRow, versions: readonly StandardContent[] }

type Rule = Pick<StandardRule, 'rule_id' | 'title' | 'statement' | 'level' | 'severity' | 'target' | 'check'>

const rule = (fields: Rule): StandardRule => ({ good: [], bad: [], waivable: true, ...fields })

const content = (fields: Pick<StandardContent, 'title' | 'description' | 'kind' | 'body_markdown' | 'rules'>):
StandardContent =>
  ({ tags: ['builtin'], scope: { project_ids: [], spec_types: [] }, extends: [], overrides: [], ...fields })

const ears = content({
  title: 'Requirements in EARS, each one verifiable',
  description: 'The patterns of the Easy Approach to Requirements Syntax, with a source and a way to verify each.',
  kind: 'ruleset',
  body_markdown: 'Write each requirement in one EARS pattern: THE SYSTEM SHALL …; WHEN …, THE SYSTEM SHALL …; ' +
    'WHILE …; WHERE …; IF …, THEN …. One requirement says one thing, cites its source and has a ' +
    'criterion that can fail.\n',
  rules: [
    rule({
      rule_id: 'pattern',
      title: 'An EARS pattern',
      statement: 'Every requirement follows one of the EARS patterns.',
      level: 'SHOULD',
      severity: 'warn',
      target: 'requirements',
      check: { fn: 'ears', options: {} }
    }),
    rule({
      rule_id: 'criterion',
      title: 'A criterion for each obligation',
      statement: 'Every requirement of level MUST has an acceptance criterion.',
      level: 'MUST',
      severity: 'error',
      target: 'requirements[level=MUST]',
      check: { fn: 'has_acceptance', options: { min: 1 } }
    }),
    rule({
      rule_id: 'source',
      title: 'A source',
      statement: 'Every requirement cites an input.',
      level: 'SHOULD',
      severity: 'warn',
      target: 'requirements',
      check: { fn: 'has_citation', options: { min: 1 } }
    }),
    rule({
      rule_id: 'length',
      title: 'Short statements',
      statement: 'A statement has at most forty words.',
      level: 'SHOULD',
      severity: 'warn',
      target: 'requirements.statement',
      check: { fn: 'length', options: { max: 40, unit: 'words' } }
    })
  ]
})

const plain = content({
  title: 'Plain language',
  description: 'Words that everybody reads the same way.',
  kind: 'guideline',
  body_markdown: 'Use short sentences and plain words. Say what is measured, and in which unit. Avoid words ' +
    'that mean something else to each reader, such as fast, easy, robust or user-friendly.\n',
  rules: [
    rule({
      rule_id: 'vague',
      title: 'No vague words',
      statement: 'A statement has no word that each reader understands in another way.',
      level: 'SHOULD',
      severity: 'warn',
      target: 'requirements.statement',
      check: {
        fn: 'forbid',
        options: { patterns: ['\\b(?:fast|quick|easy|simple|robust|flexible|seamless|intuitive|user-friendly)\\b'] }
      }
    }),
    rule({
      rule_id: 'plain',
      title: 'The plain word',
      statement: 'Where there is a plain word, it is used.',
      level: 'MAY',
      severity: 'info',
      target: 'requirements.statement',
      check: {
        fn: 'substitute',
        options: {
          swap: [{ from: 'utilize', to: 'use' }, { from: 'leverage', to: 'use' }, { from: 'prior to', to: 'before' },
            { from: 'in order to', to: 'to' }, { from: 'functionality', to: 'function' }]
        }
      }
    })
  ]
})

const operation = content({
  title: 'What a product in use needs',
  description: 'Sections for what is forgotten most often, filled with what the inputs say of each.',
  kind: 'template',
  body_markdown: '## Observability\n\n## Data retention\n\n## Rollout\n\n## Support\n\n## Localization\n',
  rules: [
    rule({
      rule_id: 'quality',
      title: 'A quality that is measured',
      statement: 'A quality requirement names a number.',
      level: 'SHOULD',
      severity: 'warn',
      target: 'requirements[kind=quality].statement',
      check: { fn: 'pattern', options: { patterns: ['[0-9]'] } }
    })
  ]
})

/** The ids sort below those of new standards, so that lists show built-in ones last. */
const make = (number: number, key: string, versions: readonly StandardContent[]): Builtin => {
  const since = new Date('2026-11-21T00:00:00Z')
  const row = {
    id: `01900000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`,
    key,
    version: versions.length,
    revision: versions.length,
    status: 'active' as const,
    created_by: null,
    created_at: since,
    updated_at: since
  }
  return { row, versions }
}

/** Append versions and never change one: specs pin them. */
export const builtins: readonly Builtin[] = [
  make(3, 'steward-operation', [operation]),
  make(2, 'steward-plain-language', [plain]),
  make(1, 'steward-ears', [ears])
]

export const isBuiltin = (id: string): boolean => builtins.some(({ row }) => row.id === id)
