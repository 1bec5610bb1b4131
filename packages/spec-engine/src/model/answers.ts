import { Type, type Static, type TArray, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Words } from '../schemas/fields.js'
import { judgments, levels, requirementKinds } from '../schemas/document.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number, description?: string) => Type.String({ maxLength, ...(description && { description }) })

/** Sentences that one item stands on: more are several demands. */
const maxSentences = 8
const Sentences = (maxItems: number) => Type.Array(Type.Integer({ minimum: 1 }), {
  minItems: 1, maxItems, description: 'Numbers of sentences of the material'
})

const Criterion = Type.Object({ given: Text(500), when: Text(500), then: Text(500) }, closed)

const RequirementAnswer = Type.Object({
  sentences: Sentences(maxSentences),
  title: Text(120),
  statement: Text(500, 'One sentence with exactly one of SHALL, SHOULD, MAY'),
  kind: Words(requirementKinds),
  level: Words(levels),
  verification: Words(['test', 'demonstration', 'inspection', 'analysis']),
  acceptance: Type.Array(Criterion, { maxItems: 8, description: 'Only criteria that the sentences state' }),
  story: Type.Integer({ minimum: 0, description: 'The first number of the story that it belongs to; 0 = none' })
}, closed)
export type RequirementAnswer = Static<typeof RequirementAnswer>

const StoryAnswer = Type.Object({
  sentences: Sentences(maxSentences),
  title: Text(120),
  role: Text(120),
  want: Text(500),
  so_that: Text(500),
  priority: Words(['P1', 'P2', 'P3'])
}, closed)
export type StoryAnswer = Static<typeof StoryAnswer>

const kinds = judgments.filter((one) => one !== 'demand' && one !== 'none' && one !== 'unread' && one !== 'question')
const NoteAnswer = Type.Object({ sentences: Sentences(40), is: Words(kinds) }, closed)

const QuestionAnswer = Type.Object({
  sentences: Sentences(maxSentences),
  question: Text(500),
  why_it_matters: Text(500),
  options: Type.Array(Text(300), { maxItems: 5 }),
  blocking: Type.Boolean({ description: 'Nothing can be built before this is known' })
}, closed)
export type QuestionAnswer = Static<typeof QuestionAnswer>

/** What a part of the inputs says. */
export const PartAnswer = Type.Object({
  requirements: Type.Array(RequirementAnswer, { maxItems: 200 }),
  stories: Type.Array(StoryAnswer, { maxItems: 40 }),
  notes: Type.Array(NoteAnswer, { maxItems: 60 }),
  questions: Type.Array(QuestionAnswer, { maxItems: 10 })
}, closed)
export type PartAnswer = Static<typeof PartAnswer>

/** What the sentences are that no item of a part cites. */
export const RestAnswer = Type.Object({
  groups: Type.Array(Type.Object({
    sentences: Sentences(600),
    is: Words(['demand', 'decision', 'question', 'none']),
    why: Text(300, 'Of sentences that are none of these, why')
  }, closed), { maxItems: 100 })
}, closed)
export type RestAnswer = Static<typeof RestAnswer>

/** Whether requirements follow from their sentences. */
export const JudgeAnswer = Type.Object({
  verdicts: Type.Array(Type.Object({
    requirement: Type.Integer({ minimum: 1, description: 'Its number in the list' }),
    verdict: Words(['follows', 'partly', 'not']),
    why: Text(300, 'What is more, less or other than the sentences say; empty where it follows'),
    same_as: Type.Integer({ minimum: 0, description: 'The number of an earlier one that demands the same; 0 = none' })
  }, closed), { maxItems: 200 })
}, closed)
export type JudgeAnswer = Static<typeof JudgeAnswer>

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
    id: Text(20), title: Text(120), statement: Text(500), acceptance: Type.Array(Criterion, { maxItems: 8 })
  }, closed), { maxItems: 60 })
}, closed)
export type RepairAnswer = Static<typeof RepairAnswer>

/** @returns the end of the last whole item of a list of the answer, in linear time; 0 = there is none */
const lastItem = (text: string): number => {
  const open: string[] = []
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text.charAt(at)
    if (mark === '"') {
      for (at++; at < text.length && text.charAt(at) !== '"'; at++) if (text.charAt(at) === '\\') at++
    } else if (mark === '{' || mark === '[') open.push(mark)
    else if (mark === '}' || mark === ']') {
      open.pop()
      if (open.length === 2 && open[1] === '[') found = at + 1
    }
  }
  return found
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value)
  } catch {
    return undefined
  }
}

/** The items of an answer that fit, and a line for each that does not. */
export interface Read<T> { answer: T, dropped: string[] }

type Lists = TObject<Record<string, TArray>>

/** Titles are cut, since nothing rests on them. */
const withShortTitle = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'title' in item && typeof item.title === 'string'
    ? { ...item, title: item.title.slice(0, 120).toWellFormed() }
    : item

/**
 * Reads an answer item by item: what does not fit, or names a sentence that was not asked about, is dropped.
 * @param numbers that items may name
 * @returns undefined where the text is no answer at all; of a cut one, its whole items
 */
export const readItems = <T extends Lists>(schema: T, text: string, numbers: ReadonlySet<number>):
Read<Static<T>> | undefined => {
  const end = lastItem(text)
  const value = parse(text) ?? (end > 0 ? parse(`${text.slice(0, end)}]}`) : undefined)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const dropped: string[] = []
  const lists = Object.entries(schema.properties).map(([name, { items: item, maxItems = Infinity }]) => {
    const all: unknown = Object.entries(value).find(([key]) => key === name)?.[1]
    const given: unknown[] = Array.isArray(all) ? all : []
    const kept = given.map(withShortTitle).filter((one, at) => {
      const wrong = at >= maxItems
        ? `more than ${maxItems}`
        : [...Value.Errors(item, one)].slice(0, 1).map(({ path, message }) => `${path} ${message}`)[0] ?? strange(one, numbers)
      if (wrong !== undefined) dropped.push(`${name}[${at}]: ${wrong}`)
      return wrong === undefined
    })
    return [name, kept]
  })
  // Each item was checked by the schema of its list.
  return { answer: Object.fromEntries(lists) as Static<T>, dropped }
}

const strange = (item: unknown, numbers: ReadonlySet<number>): string | undefined => {
  const fields = item as { sentences?: number[], requirement?: number }
  const named = fields.sentences ?? [fields.requirement ?? 0]
  const wrong = named.find((number) => !numbers.has(number))
  return wrong === undefined ? undefined : `names ${wrong}, which was not shown`
}
