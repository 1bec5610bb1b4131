import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'
import { fill } from './structured.js'

/** `stem` is what stands before a list and makes demands of its items, as "The system must:" does. */
interface Sentence { number: number, text: string, stem?: Sentence }

const line = /^\[(\d+)\] (?:\{[^}]*\} )?(.*)$/gm
const demand = /\b(?:must|shall|should|needs? to|has to|have to)\b/i

/** True when a request asks for a part of a specification. */
export const isSpecRequest = ({ system, output_config: output }: MessageCreateParamsBase): boolean =>
  output?.format?.type === 'json_schema' && /specification of documents/.test(textOf(system))

const sentencesOf = (material: string): Sentence[] => {
  let stem: Sentence | undefined
  return [...material.matchAll(line)].flatMap(([, number, text = '']): Sentence[] => {
    const one = { number: Number(number), text }
    if (text.startsWith('# ')) {
      stem = undefined
      return []
    }
    if (text.endsWith(':')) {
      stem = demand.test(text) ? one : undefined
      return []
    }
    return [{ ...one, ...(stem && !demand.test(text) && { stem }) }]
  })
}

const clip = (text: string, length: number) => text.length <= length ? text : text.slice(0, length).toWellFormed()

/** The sentence with its normative word in capitals; a script can do no more. */
const statementOf = ({ text, stem }: Sentence) =>
  clip((stem === undefined ? text : `${stem.text.slice(0, -1)} ${text.replace(/[.;,]?$/, '.')}`)
    .replace(/\*\*|`/g, '').replace(demand, (word) => /should/i.test(word) ? 'SHOULD' : 'SHALL'), 500)

const isDemand = ({ text, stem }: Sentence): boolean => demand.test(stem?.text ?? text)

const requirement = (sentence: Sentence) => ({
  sentences: [...sentence.stem ? [sentence.stem.number] : [], sentence.number],
  title: clip(sentence.text, 80),
  statement: statementOf(sentence),
  kind: /\d/.test(sentence.text) && /\b(?:second|minute|hour|%|percent)/i.test(sentence.text) ? 'quality' : 'functional',
  level: /\bshould\b/i.test(sentence.stem?.text ?? sentence.text) ? 'SHOULD' : 'MUST',
  verification: 'test',
  acceptance: [],
  story: 0
})

const wanted =
  /^as an? ([^,]{1,100}), (?:i|we) (?:want|need|would like) (?:to )?(.{1,400}?)(?:,? so that (.{1,400}?))?\.?$/i

const story = ({ number, text }: Sentence) => {
  const [, role = 'a user', want = clip(text, 400), why = ''] = wanted.exec(text) ?? []
  return { sentences: [number], title: clip(want, 100), role, want, so_that: why, priority: 'P2' }
}

const noteOf = ({ text }: Sentence): string | undefined => {
  if (/\b(?:out of scope|not part|will not)\b/i.test(text)) return 'non_goal'
  return /\b(?:goal|problem)\b/i.test(text) ? 'goal' : undefined
}

/** What of a part is done already, where its answer was cut. */
const doneOf = (task: string): Set<number> => numbersIn(/^Your answer was cut\..*: (.*)$/m.exec(task)?.[1])

const numbersIn = (ranges = ''): Set<number> => new Set(ranges.split(', ').filter(Boolean).flatMap((range) => {
  const [from = 0, to = from] = range.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}))

const writePart = (material: string, task: string) => {
  const done = doneOf(task)
  const sentences = sentencesOf(material).filter(({ number }) => !done.has(number))
  const stories = sentences.filter(({ text }) => wanted.test(text))
  const demands = sentences.filter((one) => isDemand(one) && !wanted.test(one.text))
  return {
    requirements: demands.map(requirement).slice(0, 200),
    stories: stories.slice(0, 40).map(story),
    notes: sentences.filter((one) => !isDemand(one)).flatMap((one) => {
      const is = noteOf(one)
      return is ? [{ sentences: [one.number], is }] : []
    }).slice(0, 60),
    questions: []
  }
}

const writeRest = (material: string, task: string) => {
  const left = numbersIn(/^Nobody has cited: (.*)$/m.exec(task)?.[1])
  const known = new Map([...material.matchAll(line)].map(([, number, text = '']) => [Number(number), text]))
  const group = (is: string, why: string, fits: (text: string) => boolean) => {
    const sentences = [...left].filter((number) => fits(known.get(number) ?? ''))
    return sentences.length === 0 ? [] : [{ sentences: sentences.slice(0, 600), is, why }]
  }
  const asks = (text: string) => text.endsWith('?')
  return { groups: [...group('question', '', asks), ...group('none', 'It has no word that demands', (text) => !asks(text))] }
}

const writeVerdicts = (material: string) => ({
  verdicts: [...material.matchAll(/^R(\d+): /gm)].map(([, number]) =>
    ({ requirement: Number(number), verdict: 'follows', why: '', same_as: 0 }))
})

const repaired = (task: string) => {
  const json = task.slice(task.indexOf('['), task.lastIndexOf(']') + 1)
  const items: unknown = JSON.parse(json)
  return Array.isArray(items)
    ? items.filter(isRecord).map(({ id, title, statement, acceptance }) =>
      ({ id, title, statement, acceptance }))
    : []
}

const sections: Record<string, (material: string, task: string) => unknown> = {
  requirements: writePart,
  groups: writeRest,
  verdicts: writeVerdicts,
  design: () => ({ design: 'This sandbox is not a language model: it designs nothing.' }),
  tasks: () => ({ tasks: [] }),
  items: (_, task) => ({ items: repaired(task) })
}

/** Answers with the material's own sentences, by their numbers: a script cannot write new ones. */
export function writeSection ({ messages, output_config: output }: MessageCreateParamsBase): unknown {
  const content = messages.at(-1)?.content
  const [material, task] = Array.isArray(content) ? [textOf(content.slice(0, 1)), textOf(content.slice(1))] : ['', '']
  const schema: unknown = output?.format?.schema
  const properties = isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const write = properties.map((name) => sections[name]).find((one) => one !== undefined)
  return write ? write(material, task) : fill(schema, task)
}
