import { Type, type Static } from '@sinclair/typebox'
import { verdicts, type Verdict } from 'steward-prose-engine/schemas'

const closed = { additionalProperties: false }
const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description !== undefined && { description }) })
const FactIds = Type.Array(Text(40), { maxItems: 20, description: 'Ids of the facts of the brief that it rests on' })

export const PlanAnswer = Type.Object({
  title: Text(200),
  summary: Text(500),
  sections: Type.Array(Type.Object({
    heading: Text(120), purpose: Text(500, 'What the section says'), fact_ids: FactIds
  }, closed), { minItems: 1, maxItems: 10 })
}, closed)
export type PlanAnswer = Static<typeof PlanAnswer>

const Paragraphs = Type.Array(Type.Object({
  markdown: Text(4000, 'A paragraph or a list; no heading'), fact_ids: FactIds
}, closed), { minItems: 1, maxItems: 12 })

export const SectionAnswer = Type.Object({ paragraphs: Paragraphs }, closed)
export type SectionAnswer = Static<typeof SectionAnswer>

export const EmailAnswer = Type.Object({
  subject: Text(200), preheader: Text(300), summary: Text(500), paragraphs: Paragraphs
}, closed)
export type EmailAnswer = Static<typeof EmailAnswer>

export const PostsAnswer = Type.Object({
  summary: Text(500),
  posts: Type.Array(Type.Object({ text: Text(10_000), fact_ids: FactIds }, closed), { minItems: 1, maxItems: 25 })
}, closed)
export type PostsAnswer = Static<typeof PostsAnswer>

export const SeoAnswer = Type.Object({
  title: Text(200, 'For search results'), description: Text(500, 'For search results')
}, closed)
export type SeoAnswer = Static<typeof SeoAnswer>

export const ClaimsAnswer = Type.Object({
  statements: Type.Array(Type.Object({
    number: Type.Integer(), verdict: Type.Unsafe<Verdict>({ type: 'string', enum: [...verdicts] })
  }, closed), { maxItems: 40 })
}, closed)
export type ClaimsAnswer = Static<typeof ClaimsAnswer>

export const TextsAnswer = Type.Object({
  items: Type.Array(Type.Object({
    target: Text(120, 'As it was given'), text: Text(40_000)
  }, closed), { maxItems: 40 })
}, closed)
export type TextsAnswer = Static<typeof TextsAnswer>
