import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from './fields.js'

export const verdicts = ['follows', 'partly', 'not', 'no_claim'] as const
export type Verdict = typeof verdicts[number]

/** Why a statement was not judged as a whole. */
export const uncheckedReasons = ['no_facts', 'cites_no_fact', 'not_judged', 'facts_changed'] as const
export type UncheckedReason = typeof uncheckedReasons[number]

export const TextStatement = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Its position in the text' }),
  field: Type.String({ description: 'body_markdown, fields.posts.0 …' }),
  start: Type.Integer({ description: 'Offset in the field, in UTF-16 units' }),
  end: Type.Integer(),
  text: Type.String({ description: 'The sentence, without markup, code and addresses' }),
  fact_ids: Type.Array(Type.String(), { description: 'The facts that it rests on; empty = it cites none' }),
  verdict: Words([...verdicts, 'unchecked'], {
    description: 'follows: all of it is in the facts; partly: some is not; not: they do not say it, or otherwise; ' +
      'no_claim: nothing that a fact could support; unchecked: nobody has judged what it means'
  }),
  judged_by: Nullable(Words(['model', 'code'], { description: 'code: it found what the facts do not say' })),
  why: Nullable(Words(uncheckedReasons, { description: 'unchecked: why' })),
  reason: Nullable(Type.String({ description: 'What the facts do not say, where code has found it' }))
}, { $id: 'TextStatement' })
export type TextStatement = Static<typeof TextStatement>
