import { Type, type Static } from '@sinclair/typebox'
import { Words } from '../schemas/fields.js'
import { levels, requirementKinds } from '../schemas/document.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description && { description }) })
const Notes = (maxItems: number, description: string) => Type.Array(Text(1_000), { maxItems, description })

const Quote = Type.Object({
  chunk_id: Text(60, 'The id of a chunk of the material'),
  quote: Text(300, 'A passage of that chunk, word for word')
}, closed)
export type Quote = Static<typeof Quote>
const Quotes = Type.Array(Quote, { maxItems: 6 })

const Criterion = Type.Object({ given: Text(500), when: Text(500), then: Text(500) }, closed)

/** One small schema for each section: providers reject large ones, and small answers are rarely truncated. */
export const FrameAnswer = Type.Object({
  summary: Text(1_000),
  problem: Text(4_000),
  goals: Notes(10, 'What is better for whom once this is there'),
  non_goals: Notes(15, 'What is not part of it, as the material says or clearly implies'),
  actors: Type.Array(Type.Object({ name: Text(120), description: Text(500) }, closed), { maxItems: 20 }),
  glossary: Type.Array(Type.Object({ term: Text(120), definition: Text(500) }, closed), { maxItems: 40 })
}, closed)
export type FrameAnswer = Static<typeof FrameAnswer>

export const StoriesAnswer = Type.Object({
  stories: Type.Array(Type.Object({
    title: Text(120),
    role: Text(120),
    want: Text(500),
    so_that: Text(500),
    priority: Words(['P1', 'P2', 'P3']),
    independent_test: Text(500, 'How this story alone can be shown to work'),
    citations: Quotes
  }, closed), { maxItems: 12 })
}, closed)
export type StoriesAnswer = Static<typeof StoriesAnswer>

const RequirementAnswer = Type.Object({
  kind: Words(requirementKinds),
  title: Text(120),
  statement: Text(500, 'One sentence with exactly one of SHALL, SHOULD, MAY'),
  level: Words(levels),
  rationale: Text(1_000),
  verification: Words(['test', 'demonstration', 'inspection', 'analysis']),
  acceptance: Type.Array(Criterion, { maxItems: 8 }),
  citations: Quotes
}, closed)
export type RequirementAnswer = Static<typeof RequirementAnswer>

export const RequirementsAnswer = Type.Object({
  requirements: Type.Array(RequirementAnswer, { maxItems: 40 })
}, closed)
export type RequirementsAnswer = Static<typeof RequirementsAnswer>

/** What one part of large inputs says: its demands as requirements, and what the other sections are made of. */
export const FactsAnswer = Type.Object({
  requirements: Type.Array(RequirementAnswer, { maxItems: 80 }),
  facts: Type.Array(Type.Object({
    kind: Words(['summary', 'problem', 'goal', 'non_goal', 'actor', 'term', 'story', 'edge_case', 'success', 'risk',
      'decision', 'assumption', 'question']),
    ...Quote.properties
  }, closed), { maxItems: 40 })
}, closed)
export type FactsAnswer = Static<typeof FactsAnswer>

export const EdgesAnswer = Type.Object({
  edge_cases: Notes(30, 'What can go wrong or is unusual, and what happens then'),
  success_criteria: Type.Array(Type.Object({
    metric: Text(300), target: Text(300, 'With a number that stands in the material'), unit: Text(60), citations: Quotes
  }, closed), { maxItems: 10 }),
  risks: Notes(10, 'What may keep it from succeeding')
}, closed)
export type EdgesAnswer = Static<typeof EdgesAnswer>

export const QuestionsAnswer = Type.Object({
  assumptions: Type.Array(Type.Object({
    text: Text(1_000), why: Text(500), impact: Words(['low', 'medium', 'high'])
  }, closed), { maxItems: 20 }),
  questions: Type.Array(Type.Object({
    question: Text(500),
    why_it_matters: Text(500),
    options: Type.Array(Text(300), { maxItems: 5 }),
    recommended: Text(300, 'One of the options, or empty'),
    blocking: Type.Boolean({ description: 'Nothing can be built before this is known' })
  }, closed), { maxItems: 10 })
}, closed)
export type QuestionsAnswer = Static<typeof QuestionsAnswer>

export const DesignAnswer = Type.Object({ design: Text(40_000, 'Markdown') }, closed)
export type DesignAnswer = Static<typeof DesignAnswer>

export const TasksAnswer = Type.Object({
  tasks: Type.Array(Type.Object({
    title: Text(300), requirement_ids: Type.Array(Text(20), { maxItems: 30 }), parallel: Type.Boolean()
  }, closed), { maxItems: 100 })
}, closed)
export type TasksAnswer = Static<typeof TasksAnswer>

export const RepairAnswer = Type.Object({
  items: Type.Array(Type.Object({
    id: Text(20),
    title: Text(120),
    statement: Text(500),
    acceptance: Type.Array(Criterion, { maxItems: 8 })
  }, closed), { maxItems: 60 })
}, closed)
export type RepairAnswer = Static<typeof RepairAnswer>
