import type { Requirement, SpecDocument } from '../schemas/document.js'
import { sectionTexts, textsOf } from './texts.js'
import { isOneOf } from '../schemas/values.js'

/** One item or text that a rule of a standard tests. */
export interface Subject {
  target: string
  text: string
  /** How many texts or items it consists of. */
  items: number
  /** The fields of a requirement, story, task or criterion. */
  fields: Readonly<Record<string, unknown>>
  requirement?: Requirement
}

export interface Selection {
  subjects: Subject[]
  /** How many items there are where the target is a list. */
  count: number
  /** The document has no such item or section. */
  isEmpty: boolean
}

const select = (subjects: Subject[]): Selection =>
  ({ subjects, count: subjects.length, isEmpty: subjects.length === 0 })

const pattern = /^requirements(?:\[(kind|level)=(\w+)\])?(?:\.(statement|title|rationale))?$/

const parts = ['statement', 'title', 'rationale'] as const

const requirementsOf = (document: SpecDocument, target: string): Selection => {
  const [, key, value, field] = pattern.exec(target) ?? []
  const isMeant = (one: Requirement) => key === undefined || one[key === 'kind' ? 'kind' : 'level'] === value
  const part = isOneOf(parts, field) ? field : undefined
  return select(document.requirements.filter((one) => one.status === 'active' && isMeant(one)).map((one) => ({
    target: one.id,
    text: part ? one[part] : [one.title, one.statement, one.rationale].filter(Boolean).join('\n'),
    items: 1,
    fields: one,
    requirement: one
  })))
}

const wholeOf = (document: SpecDocument): Selection => {
  const texts = textsOf(document)
  const text = texts.map((one) => one.text).join('\n')
  return select([{ target: 'document', text, items: texts.length, fields: document }])
}

const sectionOf = (document: SpecDocument, key: string): Selection => {
  const texts = sectionTexts(document, key) ?? []
  const subject = { target: `sections.${key}`, text: texts.join('\n'), items: texts.length, fields: {} }
  return { subjects: [subject], count: texts.length, isEmpty: texts.length === 0 }
}

const listOf = (document: SpecDocument, target: string): Selection => {
  const active = document.requirements.filter(({ status }) => status === 'active')
  switch (target) {
    case 'stories': return select(document.stories.map((one) =>
      ({ target: one.id, text: [one.title, one.role, one.want, one.so_that].join('\n'), items: 1, fields: one })))
    case 'tasks': return select(document.tasks.map((one) =>
      ({ target: one.id, text: one.title, items: 1, fields: one })))
    case 'acceptance': return select([...document.stories, ...active].flatMap(({ acceptance }) => acceptance)
      .map((one) => ({ target: one.id, text: [one.given, one.when, one.then].join('\n'), items: 1, fields: one })))
    default: return requirementsOf(document, target)
  }
}

/** @param target as RuleTarget allows it */
export const selectTarget = (document: SpecDocument, target: string): Selection => {
  if (target === 'document') return wholeOf(document)
  if (target.startsWith('sections.')) return sectionOf(document, target.slice('sections.'.length))
  return listOf(document, target)
}
