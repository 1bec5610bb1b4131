import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'
import { fill } from './structured.js'

/** True when a request asks for a part of a text for a brand. */
export const isContentRequest = ({ system, output_config: output }: MessageCreateParamsBase): boolean =>
  output?.format?.type === 'json_schema' && /You write content for a brand/.test(textOf(system))

interface Fact { id: string, text: string }
interface Point { text: string, ids: string[] }
interface Material { title: string, message: string, facts: Fact[], points: Point[] }

const wordsOf = (value: unknown): string => typeof value === 'string' ? value.trim() : ''
const listOf = (value: unknown): Record<string, unknown>[] => Array.isArray(value) ? value.filter(isRecord) : []

const sentence = (text: string): string => /[.!?…]$/.test(text) ? text : `${text}.`

const fenced = (name: string, text: string): string | undefined =>
  new RegExp(`<${name}-([0-9a-f]+)>\\n([\\s\\S]*?)\\n</${name}-\\1>`).exec(text)?.[2]

function readBrief (json: string): Material {
  const brief: unknown = JSON.parse(json)
  if (!isRecord(brief)) return { title: '', message: '', facts: [], points: [] }
  return {
    title: wordsOf(brief.title),
    message: wordsOf(brief.key_message),
    facts: listOf(brief.facts).map(({ id, text }) => ({ id: wordsOf(id), text: wordsOf(text) })),
    points: listOf(brief.points).map(({ text, fact_ids: ids }) =>
      ({ text: wordsOf(text), ids: Array.isArray(ids) ? ids.map(wordsOf) : [] }))
  }
}

/** A source's headings are its topics, its paragraphs its content. */
function readSource (markdown: string): Material {
  const lines = markdown.split(/\n{2,}/).map((block) => block.trim()).filter(Boolean)
  const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? ''
  const texts = lines.filter((line) => !/^(?:#|\[|\||```|<)/.test(line)).map((line) => line.replace(/\[\^[^\]]*\]/g, ''))
  return { title, message: texts[0] ?? title, facts: [], points: texts.slice(1, 5).map((text) => ({ text, ids: [] })) }
}

const readMaterial = (text: string): Material => {
  const source = fenced('source', text)
  const brief = fenced('brief', text)
  return source === undefined && brief !== undefined ? readBrief(brief) : readSource(source ?? '')
}

const paragraph = (text: string, ids: string[]) => ({ markdown: sentence(text), fact_ids: ids })

function sectionOf ({ facts, message }: Material, task: string) {
  const line = /^Section: (.*)$/m.exec(task)?.[1]
  const section: unknown = line === undefined ? {} : JSON.parse(line)
  const ids = isRecord(section) && Array.isArray(section.fact_ids) ? section.fact_ids.map(wordsOf) : []
  const named = facts.filter(({ id }) => ids.includes(id))
  const purpose = isRecord(section) ? wordsOf(section.purpose) : message
  const paragraphs = named.map(({ id, text }) => paragraph(text, [id]))
  return { paragraphs: paragraphs.length > 0 ? paragraphs : [paragraph(purpose, [])] }
}

/** Returns the given texts: a script neither rewrites nor translates. */
function textsOf (task: string) {
  const line = /^Texts: (.*)$/m.exec(task)?.[1]
  const texts: unknown = line === undefined ? [] : JSON.parse(line)
  return listOf(texts).map(({ target, text }) =>
    ({ target: wordsOf(target), text: typeof text === 'string' ? text : '' }))
}

/** What a script writes are the brief's own sentences: what names facts follows from them. */
function verdictsOf (task: string) {
  const line = /^Statements: (.*)$/m.exec(task)?.[1]
  const statements: unknown = line === undefined ? [] : JSON.parse(line)
  return listOf(statements).map(({ number, facts }) =>
    ({ number, verdict: Array.isArray(facts) && facts.length > 0 ? 'follows' : 'no_claim' }))
}

const limitOf = (task: string): number => Number(/at most (\d+) characters/.exec(task)?.[1] ?? 280)

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…`

const parts: Record<string, (material: Material, task: string) => unknown> = {
  sections: ({ title, message, points }) => ({
    title,
    summary: sentence(message),
    sections: (points.length > 0 ? points : [{ text: message, ids: [] }]).slice(0, 10)
      .map(({ text, ids }) =>
        ({ heading: clip(text, 120).replace(/[.!]$/, ''), purpose: clip(text, 500), fact_ids: ids }))
  }),
  subject: ({ title, message, points, facts }) => ({
    subject: clip(title, 60),
    preheader: clip(message, 110),
    summary: clip(sentence(message), 500),
    paragraphs: [paragraph(message, []), ...points.slice(0, 10).map(({ text, ids }) => paragraph(
      [text, ...facts.filter(({ id }) => ids.includes(id)).map((fact) => fact.text)].map(sentence).join(' '), ids))]
  }),
  statements: (_, task) => ({ statements: verdictsOf(task) }),
  posts: ({ message, facts }, task) => ({
    summary: clip(sentence(message), 500),
    posts: [{ text: message, id: '' }, ...facts.slice(0, 5)].map(({ text, id }) =>
      ({ text: clip(sentence(text), limitOf(task)), fact_ids: id === '' ? [] : [id] }))
  }),
  paragraphs: sectionOf,
  description: ({ title, message }) => ({ title: clip(title, 60), description: clip(message, 160) }),
  items: (_, task) => ({ items: textsOf(task) })
}

/** Makes a part from the brief's own sentences: a script cannot write new ones. */
export function writeContent ({ messages, output_config: output }: MessageCreateParamsBase): unknown {
  const content = messages.at(-1)?.content
  const [material, task] = Array.isArray(content) ? [textOf(content.slice(0, 1)), textOf(content.slice(1))] : ['', '']
  const schema: unknown = output?.format?.schema
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  const write = Object.entries(parts).find(([name]) => name in properties)?.[1]
  return write ? write(readMaterial(material), task) : fill(schema, task)
}
