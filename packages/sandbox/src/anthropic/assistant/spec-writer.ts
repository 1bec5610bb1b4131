import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'
import { fill } from './structured.js'

/** `stem` is what stands before a list and makes demands of its items, as "The system must:" does. */
interface Sentence { chunk: string, text: string, stem?: string }

const chunks = /<chunk-([0-9a-f]+) id="([^"]+)"[^>]*>\n([\s\S]*?)\n<\/chunk-\1>/g
const demand = /\b(?:must|shall|should|needs? to|has to|have to)\b/i

/** True when a request asks for a section of a specification. */
export const isSpecRequest = ({ system, output_config: output }: MessageCreateParamsBase): boolean =>
  output?.format?.type === 'json_schema' && /section of a specification/.test(textOf(system))

const bullet = /^\s*(?:[-*+]|\d+[.)])\s+/

const sentencesIn = (chunk: string, body: string): Sentence[] => {
  let stem: string | undefined
  return body.split('\n').filter((line) => !/^\s*(?:#|\||```|$)/.test(line)).flatMap((line) => {
    const isItem = bullet.test(line)
    if (!isItem) stem = undefined
    const texts = line.replace(bullet, '').split(/(?<=[.!?])\s+/).map((text) => text.trim())
      .filter((text) => text.length > 3 && text.length <= 300)
    const last = texts.at(-1)
    if (!isItem && last?.endsWith(':') && demand.test(last)) stem = texts.pop()?.slice(0, -1)
    return texts.map((text) => ({ chunk, text, ...(isItem && stem !== undefined && { stem }) }))
  })
}

const sentencesOf = (material: string): Sentence[] =>
  [...material.matchAll(chunks)].flatMap(([, , chunk = '', body = '']) => sentencesIn(chunk, body))

const cite = ({ chunk, text }: Sentence) => ({ chunk_id: chunk, quote: text })

const clip = (text: string, length: number) => text.length <= length ? text : text.slice(0, length).toWellFormed()

/** The sentence with its normative word in capitals; a script can do no more. */
const statementOf = ({ text, stem }: Sentence) =>
  (stem === undefined ? text : `${stem} ${text.replace(/[.;,]?$/, '.')}`)
    .replace(/\*\*|`/g, '').replace(demand, (word) => /should/i.test(word) ? 'SHOULD' : 'SHALL')

const requirement = (sentence: Sentence) => ({
  kind: /\d/.test(sentence.text) && /\b(?:second|minute|hour|%|percent)/i.test(sentence.text) ? 'quality' : 'functional',
  title: clip(sentence.text, 80),
  statement: statementOf(sentence),
  level: /\bshould\b/i.test(sentence.stem ?? sentence.text) ? 'SHOULD' : 'MUST',
  rationale: '',
  verification: 'test',
  acceptance: [{ given: 'the system is in use', when: 'the requirement applies', then: clip(sentence.text, 480) }],
  citations: [cite(sentence)]
})

const wanted =
  /^as an? ([^,]{1,100}), (?:i|we) (?:want|need|would like) (?:to )?(.{1,400}?)(?:,? so that (.{1,400}?))?\.?$/i

const story = (sentence: Sentence) => {
  const [, role = 'a user', want = clip(sentence.text, 400), why = ''] = wanted.exec(sentence.text) ?? []
  return {
    title: clip(want, 100),
    role,
    want,
    so_that: why,
    priority: 'P2',
    independent_test: `Show that ${role} can ${clip(want, 300)}`,
    citations: [cite(sentence)]
  }
}

const about = (sentences: Sentence[], task: string): Sentence[] => {
  const demands = sentences.filter(({ text, stem = text }) => demand.test(stem))
  const words = new Set(/^Story: (.*)$/m.exec(task)?.[1]?.toLowerCase().match(/\p{L}{5,}/gu))
  if (words.size === 0) return demands
  return demands.filter(({ text }) => text.toLowerCase().match(/\p{L}{5,}/gu)?.some((word) => words.has(word)))
}

const repaired = (task: string) => {
  const json = task.slice(task.indexOf('['), task.lastIndexOf(']') + 1)
  const items: unknown = JSON.parse(json)
  return Array.isArray(items)
    ? items.filter(isRecord).map(({ id, title, statement, acceptance }) =>
      ({ id, title, statement, acceptance }))
    : []
}

const factKind = (text: string): string | undefined => {
  if (wanted.test(text)) return 'story'
  if (text.endsWith('?')) return 'question'
  return /\b(?:goal|problem)\b/i.test(text) ? 'goal' : undefined
}

const facts = (sentences: Sentence[]) => sentences.flatMap((sentence) => {
  const kind = factKind(sentence.text)
  return kind ? [{ kind, ...cite(sentence) }] : []
})

const sections: Record<string, (sentences: Sentence[], task: string) => unknown> = {
  summary: (sentences) => ({
    summary: sentences[0]?.text ?? '',
    problem: sentences[1]?.text ?? '',
    goals: sentences.filter(({ text }) => /\b(?:want|goal|so that)\b/i.test(text)).slice(0, 3).map(({ text }) => text),
    non_goals: sentences.filter(({ text }) => /\b(?:out of scope|not part|will not)\b/i.test(text)).slice(0, 5)
      .map(({ text }) => text),
    actors: [{ name: 'User', description: 'Whoever uses it' }],
    glossary: []
  }),
  stories: (sentences) => ({ stories: sentences.filter(({ text }) => wanted.test(text)).slice(0, 8).map(story) }),
  requirements: (sentences, task) => ({
    requirements: about(sentences, task).slice(0, /^Section: facts/m.test(task) ? 80 : 40).map(requirement),
    ...(/^Section: facts/m.test(task) && { facts: facts(sentences).slice(0, 40) })
  }),
  edge_cases: (sentences) => ({
    edge_cases: sentences.filter(({ text }) => /^(?:if|when)\b/i.test(text)).slice(0, 10).map(({ text }) => text),
    success_criteria: [],
    risks: []
  }),
  assumptions: (sentences) => ({
    assumptions: [],
    questions: sentences.filter(({ text }) => text.endsWith('?')).slice(0, 8).map(({ text }) => ({
      question: text, why_it_matters: 'The material asks it', options: [], recommended: '', blocking: false
    }))
  }),
  design: () => ({ design: 'This sandbox is not a language model: it designs nothing.' }),
  tasks: () => ({ tasks: [] }),
  items: (_, task) => ({ items: repaired(task) })
}

/** Makes a section from the material's own sentences and cites them: a script cannot write new ones. */
export function writeSection ({ messages, output_config: output }: MessageCreateParamsBase): unknown {
  const content = messages.at(-1)?.content
  const [material, task] = Array.isArray(content) ? [textOf(content.slice(0, 1)), textOf(content.slice(1))] : ['', '']
  const schema: unknown = output?.format?.schema
  const properties = isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const write = properties.map((name) => sections[name]).find((one) => one !== undefined)
  return write ? write(sentencesOf(material), task) : fill(schema, task)
}
