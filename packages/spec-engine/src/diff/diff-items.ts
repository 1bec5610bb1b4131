import { isDeepStrictEqual } from 'node:util'
import type { SpecDocument } from '../schemas/document.js'
import type { SpecItemChange, SpecItemDiff } from '../schemas/diff.js'

type Fields = Readonly<Record<string, unknown>>
interface Item { title: string, fields: Fields, isGone: boolean }
type Items = ReadonlyMap<string, Item>

const byId = ({ stories, requirements, success_criteria, assumptions, open_questions, decisions, tasks }: SpecDocument):
[string, Item][] => {
  const item = <T extends { id: string }>(title: (one: T) => string) => (one: T): [string, Item] => {
    const { id, ...fields } = one
    return [id, { title: title(one), fields, isGone: 'status' in one && one.status === 'retired' }]
  }
  return [
    ...stories.map(item(({ title }) => title)),
    ...requirements.map(item(({ title }) => title)),
    ...success_criteria.map(item(({ metric }) => metric)),
    ...assumptions.map(item(({ text }) => text)),
    ...open_questions.map(item(({ question }) => question)),
    ...decisions.map(item(({ title }) => title)),
    ...tasks.map(item(({ title }) => title))
  ]
}

const whole = ['title', 'summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'entities', 'interfaces',
  'edge_cases', 'risks', 'design', 'settings'] as const

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0)

const sectionsOf = (document: SpecDocument): [string, Item][] => {
  const section = (key: string, title: string, value: unknown): [string, Item] =>
    [`sections.${key}`, { title, fields: { [key]: value }, isGone: isEmpty(value) }]
  return [
    ...whole.map((key) => section(key, key, document[key])),
    ...document.sections.map(({ key, title, text }) => section(key, title, text))
  ]
}

const isSame = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(before, after) || (isEmpty(before) && isEmpty(after))

const differing = (before: Fields, after: Fields): SpecItemChange['fields'] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !isSame(before[field] ?? null, after[field] ?? null))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))

const compare = (target: string, before: Item | undefined, after: Item | undefined): SpecItemChange[] => {
  const fields = differing(before?.fields ?? {}, after?.fields ?? {})
  const [was, is] = [before?.isGone === false, after?.isGone === false]
  if (fields.length === 0 || (!before && !is)) return []
  const change = was === is ? 'changed' : is ? 'added' : 'removed'
  return [{ target, change, title: (after ?? before)?.title ?? '', fields }]
}

const compareAll = (before: Items, after: Items): SpecItemChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => compare(id, before.get(id), after.get(id)))

const count = (items: readonly SpecItemChange[], change: SpecItemChange['change']): number =>
  items.filter((one) => one.change === change).length

const none: Items = new Map()

/** @returns the differences by item and field; items match by their ids, which are stable over versions */
export const diffItems = (before: SpecDocument | undefined, after: SpecDocument):
Omit<SpecItemDiff, 'from' | 'to' | 'granularity'> => {
  const now = new Map(byId(after))
  const items = compareAll(before ? new Map(byId(before)) : none, now)
  const sections = compareAll(before ? new Map(sectionsOf(before)) : none, new Map(sectionsOf(after)))
  const touched = new Set(items.map(({ target }) => target))
  return {
    added: count(items, 'added'),
    removed: count(items, 'removed'),
    changed: count(items, 'changed'),
    unchanged: [...now].filter(([id, { isGone }]) => !isGone && !touched.has(id)).length,
    items: [...sections, ...items]
  }
}
