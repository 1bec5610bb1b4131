import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'
import { fill } from './structured.js'

interface Said { chunk: string, text: string }

const chunks = /<chunk-([0-9a-f]+) id="([^"]+)"[^>]*>\n([\s\S]*?)\n<\/chunk-\1>/g
const demand = /\b(?:must|shall|should|needs? to|has to|have to)\b/i

/** True when a request asks for a section of a specification. */
export const isSpecRequest = ({ system, output_config: output }: MessageCreateParamsBase): boolean =>
  output?.format?.type === 'json_schema' && /section of a specification/.test(textOf(system))

const sentencesOf = (material: string): Said[] =>
  [...material.matchAll(chunks)].flatMap(([, , chunk = '', body = '']) =>
    body.split('\n').filter((line) => !/^\s*(?:#|\||```)/.test(line)).flatMap((line) =>
      line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').split(/(?<=[.!?])\s+/))
      .map((text) => text.trim()).filter((text) => text.length > 3 && text.length <= 300).map((text) =>
        ({ chunk, text })))

const cite = ({ chunk, text }: Said) => ({ chunk_id: chunk, quote: text })

const clip = (text: string, length: number) => text.length <= length ? text : text.slice(0, length).toWellFormed()

/** The sentence with its word of demand in capitals: all that a script can make of it. */
const statementOf = (text: string) =>
  text.replace(/\*\*|`/g, '').replace(demand, (word) => /should/i.test(word) ? 'SHOULD' : 'SHALL')

const requirement = (said: Said) => ({
  kind: /\d/.test(said.text) && /\b(?:second|minute|hour|%|percent)/i.test(said.text) ? 'quality' : 'functional',
  title: clip(said.text, 80),
  statement: statementOf(said.text),
  level: /\bshould\b/i.test(said.text) ? 'SHOULD' : 'MUST',
  rationale: '',
  verification: 'test',
  acceptance: [{ given: 'the system is in use', when: 'the requirement applies', then: clip(said.text, 480) }],
  citations: [cite(said)]
})

const wanted =
  /^as an? ([^,]{1,100}), (?:i|we) (?:want|need|would like) (?:to )?(.{1,400}?)(?:,? so that (.{1,400}?))?\.?$/i

const story = (said: Said) => {
  const [, role = 'a user', want = clip(said.text, 400), why = ''] = wanted.exec(said.text) ?? []
  return {
    title: clip(want, 100),
    role,
    want,
    so_that: why,
    priority: 'P2',
    independent_test: `Show that ${role} can ${clip(want, 300)}`,
    citations: [cite(said)]
  }
}

const about = (said: Said[], task: string): Said[] => {
  const demands = said.filter(({ text }) => demand.test(text))
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

const sections: Record<string, (said: Said[], task: string) => unknown> = {
  summary: (said) => ({
    summary: said[0]?.text ?? '',
    problem: said[1]?.text ?? '',
    goals: said.filter(({ text }) => /\b(?:want|goal|so that)\b/i.test(text)).slice(0, 3).map(({ text }) => text),
    non_goals: said.filter(({ text }) => /\b(?:out of scope|not part|will not)\b/i.test(text)).slice(0, 5)
      .map(({ text }) => text),
    actors: [{ name: 'User', description: 'Whoever uses it' }],
    glossary: []
  }),
  stories: (said) => ({ stories: said.filter(({ text }) => wanted.test(text)).slice(0, 8).map(story) }),
  requirements: (said, task) => ({ requirements: about(said, task).slice(0, 40).map(requirement) }),
  edge_cases: (said) => ({
    edge_cases: said.filter(({ text }) => /^(?:if|when)\b/i.test(text)).slice(0, 10).map(({ text }) => text),
    success_criteria: [],
    risks: []
  }),
  assumptions: (said) => ({
    assumptions: [],
    questions: said.filter(({ text }) => text.endsWith('?')).slice(0, 8).map(({ text }) => ({
      question: text, why_it_matters: 'The material asks it', options: [], recommended: '', blocking: false
    }))
  }),
  design: () => ({ design: 'This stand-in is not a language model: it designs nothing.' }),
  tasks: () => ({ tasks: [] }),
  items: (_, task) => ({ items: repaired(task) })
}

/** A section made of the material's own sentences, which are its citations: a script writes nothing of its own. */
export function writeSection ({ messages, output_config: output }: MessageCreateParamsBase): unknown {
  const content = messages.at(-1)?.content
  const [material, task] = Array.isArray(content) ? [textOf(content.slice(0, 1)), textOf(content.slice(1))] : ['', '']
  const schema: unknown = output?.format?.schema
  const properties = isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const write = properties.map((name) => sections[name]).find((one) => one !== undefined)
  return write ? write(sentencesOf(material), task) : fill(schema, task)
}
