import type { CheckReport, Finding, Requirement, SpecDocument, StandardRule, Story } from 'steward-spec-engine/schemas'
import type { ResolvedStandard } from '../../src/schemas/standards.js'
import { checkDocument } from '../../src/checks/check-document.js'
import type { CheckTask } from '../../src/checks/view.js'
import type { Source } from '../../src/engine/material.js'
import { citeRange } from '../../src/engine/material.js'
import { inputId, settings, source } from '../engine/material.js'

export const now = new Date('2026-11-20T12:00:00Z')
export const text = 'The door must open within 5 seconds.'
export const input = source(text)

const criterion = (id: string) => ({ id: `${id}.AC1`, given: 'a closed door', when: 'a code fits', then: 'it opens' })

export const requirement = (more: Partial<Requirement> = {}): Requirement => {
  const id = more.id ?? 'FR-001'
  return {
    id,
    kind: 'functional',
    title: 'Open the door',
    statement: 'The door SHALL open within 5 seconds.',
    pattern: 'ubiquitous',
    level: 'MUST',
    priority: 'P1',
    story_ids: [],
    acceptance: [criterion(id)],
    verification: 'test',
    rationale: '',
    citations: citeRange(input, 0, text.length),
    standards: [],
    depends_on: [],
    assumption_ids: [],
    origin: 'generated',
    human_edited: false,
    locked: false,
    status: 'active',
    retire_reason: null,
    since_version: 1,
    retired_in: null,
    ...more
  }
}

export const story = (more: Partial<Story> = {}): Story => ({
  id: 'US-1',
  title: 'Open it',
  role: 'a customer',
  want: 'open the door',
  so_that: 'I get my parcel',
  priority: 'P1',
  independent_test: 'Open a door',
  acceptance: [],
  citations: [],
  origin: 'generated',
  human_edited: false,
  locked: false,
  ...more
})

/** A document without findings. */
export const document = (more: Partial<SpecDocument> = {}): SpecDocument => ({
  schema: 'pse.spec/1',
  engine: {
    name: 'template',
    version: 'template/1',
    model: null,
    capabilities: { infers: false, rewrites: 'mechanical' },
    notice: null
  },
  settings: settings(),
  title: 'Lockers',
  summary: 'Lockers that open.',
  problem: '',
  goals: [],
  non_goals: ['Payment.'],
  actors: [],
  glossary: [],
  stories: [],
  requirements: [requirement()],
  entities: [],
  interfaces: [],
  edge_cases: [],
  success_criteria: [],
  risks: [],
  assumptions: [],
  open_questions: [],
  decisions: [],
  design: null,
  tasks: [],
  sections: [],
  locked_sections: [],
  counters: { FR: 1 },
  ...more
})

export const check = (more: Partial<SpecDocument> = {}, task: Partial<CheckTask> = {}): CheckReport =>
  checkDocument({ document: document(more), inputs: [input], standards: [], now, ...task })

export const summarize = ({ findings }: CheckReport): [string, string, string][] =>
  findings.map(({ rule_id: rule, severity, target }: Finding) => [rule, severity, target])

export const standard = (rules: Partial<StandardRule>[], more: Partial<ResolvedStandard> = {}): ResolvedStandard => ({
  standard_id: inputId(90),
  key: 'house',
  version: 3,
  title: 'House rules',
  kind: 'ruleset',
  body_markdown: '',
  rules: rules.map((rule, at) => ({
    rule_id: `rule-${at + 1}`,
    title: 'A rule',
    statement: '',
    level: 'SHOULD',
    severity: 'warn',
    target: 'requirements.statement',
    check: { fn: 'required' },
    good: [],
    bad: [],
    waivable: true,
    ...rule
  })),
  ...more
})

export const waiver = (rule_id: string, more: Partial<NonNullable<Source['about']>> = {}, seq = 20): Source =>
  source('It is fine.', { seq, kind: 'waiver', about: { rule_id, ...more } })
