import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Words } from './fields.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description && { description }) })

/** Of what kind a requirement is: functional, quality, constraint, interface, data. */
export const requirementKinds = ['functional', 'quality', 'constraint', 'interface', 'data'] as const
export type RequirementKind = typeof requirementKinds[number]
export const requirementPrefixes: Record<RequirementKind, string> = {
  functional: 'FR', quality: 'QR', constraint: 'CR', interface: 'IR', data: 'DR'
}

export const patterns = ['ubiquitous', 'event', 'state', 'optional', 'unwanted', 'complex', 'free'] as const
export const levels = ['MUST', 'SHOULD', 'MAY'] as const
export type Level = typeof levels[number]
export const specTypes = ['feature', 'bugfix', 'product', 'api', 'adr', 'refactor'] as const
export const profiles = ['kernel', 'standard', 'full'] as const
export const notations = ['ears', 'gherkin', 'shall'] as const
export const artifacts = ['requirements', 'design', 'tasks', 'decisions'] as const

/** A piece of an input's extracted text; the offsets count UTF-16 units of that text. */
export const Chunk = Type.Object({
  chunk_id: Text(60, 'The input\'s id, # and the number of the piece, from 1'),
  heading_path: Type.Array(Text(300)),
  char_start: Type.Integer({ minimum: 0 }),
  char_end: Type.Integer({ minimum: 0 }),
  sha256: Text(64),
  token_estimate: Type.Integer({ minimum: 0 })
}, { $id: 'Chunk', ...closed })
export type Chunk = Static<typeof Chunk>

export const Citation = Type.Object({
  input_id: Id,
  chunk_id: Text(60),
  quote: Text(300, 'Word for word as in the input, when `match` is exact'),
  char_start: Type.Integer({ minimum: 0, description: 'Into the input\'s extracted text; found by the server' }),
  char_end: Type.Integer({ minimum: 0 }),
  match: Words(['exact', 'normalized', 'fuzzy'], { description: 'How the server found the quote' }),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'Similarity; 1 unless the match is fuzzy' }),
  location: Type.Optional(Text(400, 'The input\'s name and the headings above the quote'))
}, { $id: 'Citation', ...closed })
export type Citation = Static<typeof Citation>

export const Criterion = Type.Object({
  id: Text(40, 'The requirement\'s or story\'s id with .AC and a number'),
  name: Type.Optional(Text(300, 'What the source calls the scenario')),
  given: Text(2000),
  when: Text(2000),
  then: Text(2000, 'Of a criterion that is no scenario, its whole text')
}, { $id: 'Criterion', ...closed })
export type Criterion = Static<typeof Criterion>

export const StandardReference = Type.Object({
  standard_id: Id,
  version: Type.Integer({ minimum: 1 }),
  rule_id: Text(100)
}, { $id: 'StandardReference', ...closed })
export type StandardReference = Static<typeof StandardReference>

export const origins = ['generated', 'human', 'imported'] as const

const kept = {
  origin: Words(origins),
  human_edited: Type.Boolean(),
  locked: Type.Boolean({ description: 'A locked item is never changed by a generation' })
}

export const Story = Type.Object({
  id: Text(20),
  title: Text(120),
  role: Text(120),
  want: Text(500),
  so_that: Text(500),
  sentence: Type.Optional(Text(1000, 'The story in the words of its source')),
  priority: Words(['P1', 'P2', 'P3']),
  independent_test: Text(500),
  acceptance: Type.Array(Criterion),
  citations: Type.Array(Citation),
  ...kept
}, { $id: 'Story', ...closed })
export type Story = Static<typeof Story>

/** Sentences in the same words are cited 20 times in each input. */
const repeated = {
  repeats: Type.Optional(Type.Integer({
    minimum: 1, description: 'How often the same words stand in the inputs besides what is cited or listed'
  }))
}

/** How far the cited sentences back a requirement that a model wrote. */
export const Support = Type.Object({
  verdict: Words(['follows', 'partly', 'not']), why: Text(500)
}, { $id: 'Support', ...closed })
export type Support = Static<typeof Support>

export const Requirement = Type.Object({
  id: Text(20, 'FR-001, QR-…, CR-…, IR-…, DR-…: given by the server, stable over versions, never used again'),
  kind: Words(requirementKinds),
  title: Text(120),
  statement: Text(2000, 'One sentence; what is longer than 500 characters is a finding'),
  pattern: Words(patterns, { description: 'The EARS pattern of the statement; free = none' }),
  level: Words(levels),
  priority: Words(['P1', 'P2', 'P3']),
  story_ids: Type.Array(Text(20)),
  acceptance: Type.Array(Criterion),
  verification: Words(['test', 'demonstration', 'inspection', 'analysis']),
  rationale: Text(1000),
  citations: Type.Array(Citation),
  support: Type.Optional(Support),
  ...repeated,
  source_ids: Type.Optional(Type.Array(Text(40), {
    description: 'Ids that the inputs give to what it stands on, such as REQ-12'
  })),
  standards: Type.Array(StandardReference),
  depends_on: Type.Array(Text(20)),
  assumption_ids: Type.Array(Text(20)),
  ...kept,
  status: Words(['active', 'retired']),
  retire_reason: Nullable(Text(1000)),
  since_version: Type.Integer({ minimum: 1 }),
  retired_in: Nullable(Type.Integer({ minimum: 1 }))
}, { $id: 'Requirement', ...closed })
export type Requirement = Static<typeof Requirement>

export const Term = Type.Object({
  term: Text(120), definition: Text(500), aliases: Type.Array(Text(120))
}, { $id: 'Term', ...closed })

export const Entity = Type.Object({
  name: Text(120),
  description: Text(500),
  fields: Type.Array(Type.Object({ name: Text(120), type: Text(120), description: Text(500) }, closed)),
  citations: Type.Array(Citation)
}, { $id: 'Entity', ...closed })

export const InterfaceNote = Type.Object({
  name: Text(200), description: Text(500), citations: Type.Array(Citation)
}, { $id: 'InterfaceNote', ...closed })

export const SuccessCriterion = Type.Object({
  id: Text(20), metric: Text(300), target: Text(300), unit: Text(60), citations: Type.Array(Citation), ...repeated
}, { $id: 'SuccessCriterion', ...closed })

export const Assumption = Type.Object({
  id: Text(20),
  text: Text(1000),
  why: Text(500),
  impact: Words(['low', 'medium', 'high']),
  confirmed_by_input: Nullable(Id)
}, { $id: 'Assumption', ...closed })
export type Assumption = Static<typeof Assumption>

export const Question = Type.Object({
  id: Text(20),
  question: Text(500),
  why_it_matters: Text(500),
  options: Type.Array(Text(300), { maxItems: 5 }),
  recommended: Nullable(Text(300)),
  blocking: Type.Boolean(),
  status: Words(['open', 'answered', 'dismissed']),
  answer_input_id: Nullable(Id),
  /** The requirement, section or quote that the question is about, so that it is not asked twice. */
  about: Nullable(Text(300)),
  asked: Type.Optional(Type.Object({ question: Text(500), about: Nullable(Text(300)) }, {
    ...closed, description: 'How it was asked before a person worded it otherwise; the server writes this'
  }))
}, { $id: 'Question', ...closed })
export type Question = Static<typeof Question>

export const Decision = Type.Object({
  id: Text(20),
  title: Text(200),
  status: Words(['proposed', 'accepted', 'superseded']),
  drivers: Type.Array(Text(500)),
  options: Type.Array(Text(500)),
  outcome: Text(1000),
  consequences: Type.Array(Text(500)),
  input_id: Nullable(Id)
}, { $id: 'Decision', ...closed })

export const SpecTask = Type.Object({
  id: Text(20),
  title: Text(300),
  requirement_ids: Type.Array(Text(20)),
  story_id: Nullable(Text(20)),
  depends_on: Type.Array(Text(20)),
  parallel: Type.Boolean(),
  component: Type.Optional(Text(300, 'The section of the inputs that its requirements stand in'))
}, { $id: 'SpecTask', ...closed })

/** A section that an attached standard of kind template defines. */
export const ExtraSection = Type.Object({
  key: Text(63), title: Text(200), text: Text(10_000), citations: Type.Array(Citation)
}, { $id: 'ExtraSection', ...closed })

export const notTakenClasses = ['example', 'rationale', 'alternative', 'history', 'question', 'answer', 'definition',
  'quotation', 'task', 'boilerplate', 'unclear', 'undecided', 'other'] as const

export const NotTaken = Type.Object({
  input_id: Id,
  chunk_id: Text(60),
  quote: Text(300),
  char_start: Type.Integer({ minimum: 0 }),
  char_end: Type.Integer({ minimum: 0 }),
  location: Text(400, 'The input, its section, and the line or page'),
  class: Words(notTakenClasses),
  why: Text(300),
  ...repeated
}, { $id: 'NotTaken', ...closed })
export type NotTaken = Static<typeof NotTaken>

/** A sentence that a person has set aside: no generation takes it again. */
export const Dismissed = Type.Object({
  input_id: Id, char_start: Type.Integer({ minimum: 0 }), char_end: Type.Integer({ minimum: 0 }), why: Text(300)
}, { $id: 'Dismissed', ...closed })

/** What a model makes of a sentence that is no part of a requirement; `unread`: the model did not read it. */
export const judgments = ['demand', 'decision', 'question', 'goal', 'non_goal', 'problem', 'summary', 'actor', 'term',
  'edge_case', 'success', 'risk', 'assumption', 'none', 'unread'] as const

export const Judged = Type.Object({
  input_id: Id, starts: Type.Array(Type.Integer({ minimum: 0 })), is: Words(judgments), why: Text(300)
}, { $id: 'Judged', ...closed, description: 'Sentences of an input, by where they start, and what a model calls them' })
export type Judged = Static<typeof Judged>

/** A document lists so many sentences of each class; the others are counted, and listNotTaken pages through all. */
export const maxNotTaken = 100

export const NotTakenCount = Type.Object({
  class: Words(notTakenClasses), count: Type.Integer({ minimum: 1 })
}, { $id: 'NotTakenCount', ...closed })
export type NotTakenCount = Static<typeof NotTakenCount>

/** The settings that the document was made with; the checks read them, so that they depend only on the document. */
export const SpecSettings = Type.Object({
  spec_type: Words(specTypes),
  profile: Words(profiles),
  notation: Words(notations),
  locale: Text(35, 'BCP 47'),
  artifacts: Type.Array(Words(artifacts)),
  implementation_free: Type.Boolean(),
  require_citations: Type.Boolean(),
  max_requirements: Type.Integer({ minimum: 1 })
}, { $id: 'SpecSettings', ...closed })
export type SpecSettings = Static<typeof SpecSettings>

/** The engine that wrote the document, and its capabilities. */
export const SpecEngine = Type.Object({
  name: Words(['template', 'anthropic', 'import']),
  version: Text(60),
  model: Nullable(Text(200)),
  capabilities: Type.Object({ infers: Type.Boolean(), rewrites: Words(['mechanical', 'model']) }, closed),
  notice: Nullable(Text(500, 'To be shown wherever the document is'))
}, { $id: 'SpecEngine', ...closed })

/** How many sentences a section lists. */
export const maxNotes = 1_000
const Notes = Type.Array(Text(1000), { maxItems: maxNotes })

export const SpecDocument = Type.Object({
  schema: Type.Literal('pse.spec/1'),
  engine: SpecEngine,
  settings: SpecSettings,
  title: Text(200),
  summary: Text(10_000),
  problem: Text(10_000),
  goals: Notes,
  non_goals: Notes,
  actors: Type.Array(Type.Object({ name: Text(120), description: Text(500) }, closed)),
  glossary: Type.Array(Term),
  stories: Type.Array(Story),
  requirements: Type.Array(Requirement),
  entities: Type.Array(Entity),
  interfaces: Type.Array(InterfaceNote),
  edge_cases: Notes,
  success_criteria: Type.Array(SuccessCriterion),
  risks: Notes,
  assumptions: Type.Array(Assumption),
  open_questions: Type.Array(Question),
  decisions: Type.Array(Decision),
  design: Nullable(Text(40_000)),
  tasks: Type.Array(SpecTask),
  sections: Type.Array(ExtraSection),
  not_taken: Type.Optional(Type.Array(NotTaken, {
    description: 'Sentences that the spec does not take, undecided or with the reason: the first ' +
      `${maxNotTaken} of each class`
  })),
  not_taken_more: Type.Optional(Type.Array(NotTakenCount, {
    description: 'How many more of a class there are than not_taken lists; listNotTaken reads all'
  })),
  judged: Type.Optional(Type.Array(Judged, {
    description: 'What a model makes of the sentences; one that is not here is undecided'
  })),
  dismissed: Type.Optional(Type.Array(Dismissed, { description: 'Sentences that a person has set aside' })),
  locked_sections: Type.Array(Text(63), { description: 'Keys of sections that a generation never changes' }),
  counters: Type.Record(Type.String(), Type.Integer(), {
    description: 'The highest number given so far for each prefix: an id is never used again'
  })
}, { $id: 'SpecDocument', ...closed, description: 'pse.spec/1: the truth of a version; Markdown is rendered from it' })
export type SpecDocument = Static<typeof SpecDocument>
