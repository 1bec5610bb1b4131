import type { Requirement, SpecDocument } from '../schemas/document.js'
import type { Build } from './template.js'
import { shorten } from './words.js'

type Task = SpecDocument['tasks'][number]
type Draft = Omit<Task, 'id'>

/** The last heading above a requirement's first citation, or its input's name. */
const componentOf = ({ citations }: Requirement): string => citations[0]?.location?.split(' › ').at(-1) ?? ''

const groupsOf = (requirements: readonly Requirement[]): Map<string, Requirement[]> => {
  const groups = new Map<string, Requirement[]>()
  for (const one of requirements) groups.set(componentOf(one), [...groups.get(componentOf(one)) ?? [], one])
  return groups
}

/** Words that end with a digit, up to it. */
const words = (text: string): Set<string> => new Set((text.match(/[A-Za-z][\w.-]*/g) ?? [])
  .map((word) => word.slice(0, word.search(/\d\D*$/) + 1)).filter(Boolean))

/** @returns the ids of requirements that a requirement depends on, or names by their own or their source's id */
const needsOf = (item: Requirement, byName: ReadonlyMap<string, string>): string[] => {
  const named = [...words([item.statement, ...item.acceptance.flatMap(({ given, when }) => [given, when])].join(' '))]
  const found = [...item.depends_on, ...named.flatMap((name) => byName.get(name) ?? [])]
  return [...new Set(found)].filter((id) => id !== item.id)
}

const namesOf = (requirements: readonly Requirement[]): Map<string, string> => new Map(requirements
  .flatMap(({ id, source_ids: names = [] }) => [...names.map((name) => [name, id] as const), [id, id] as const]))

/** Leaves out each dependency that would close a circle. */
const withoutCircles = (needs: ReadonlyMap<string, readonly string[]>): Map<string, string[]> => {
  const kept = new Map<string, string[]>()
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set<string>()
    const open = [from]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === to) return true
      if (!seen.has(id)) open.push(...kept.get(id) ?? [])
      seen.add(id)
    }
    return false
  }
  for (const [id, others] of needs) {
    for (const other of others) if (!reaches(other, id)) kept.set(id, [...kept.get(id) ?? [], other])
  }
  return kept
}

const build = (item: Requirement, component: string): Draft => ({
  title: shorten(`Implement ${item.id}: ${item.title}`, 300),
  requirement_ids: [item.id],
  story_id: item.story_ids[0] ?? null,
  depends_on: [],
  parallel: true,
  ...(component && { component })
})

const verify = (items: readonly Requirement[], component: string, by: string): Draft => ({
  title: shorten(`Verify by ${by}: ${items.map(({ id }) => id).join(', ')}`, 300),
  requirement_ids: items.map(({ id }) => id),
  story_id: null,
  depends_on: [],
  parallel: true,
  ...(component && { component })
})

const byVerification = (items: readonly Requirement[]): [string, Requirement[]][] =>
  [...new Set(items.map(({ verification }) => verification))]
    .map((by) => [by, items.filter(({ verification }) => verification === by)])

/** The same task keeps its id: one that names the same requirements, to build or to verify them. */
const keyOf = ({ title, requirement_ids: ids }: Pick<Task, 'title' | 'requirement_ids'>): string =>
  `${/^\w+(?: by \w+)?/.exec(title)?.[0] ?? ''} ${ids.join(' ')}`

/**
 * Makes one task for each requirement, and for each component one for each way of verification, which depends on
 * them. It is mechanical: a dependency is one that the requirement states or names, and nothing else is known.
 */
export const collectTasks = ({ base, ids, session: { settings } }: Build, all: readonly Requirement[]): Task[] => {
  if (!settings.artifacts.includes('tasks')) return base?.tasks ?? []
  const active = all.filter(({ status }) => status === 'active')
  const known = new Map((base?.tasks ?? []).map((task) => [keyOf(task), task.id]))
  const name = (draft: Draft): Task => ({ id: known.get(keyOf(draft)) ?? ids.next('T', 3, ''), ...draft })
  const builds = new Map<string, Task>()
  const made: Task[] = []
  for (const [component, items] of groupsOf(active)) {
    for (const item of items) builds.set(item.id, name(build(item, component)))
    made.push(...items.flatMap(({ id }) => builds.get(id) ?? []))
    for (const [by, verified] of byVerification(items)) {
      const depends = verified.flatMap(({ id }) => builds.get(id)?.id ?? [])
      made.push({ ...name(verify(verified, component, by)), depends_on: depends, parallel: false })
    }
  }
  const byName = namesOf(active)
  const needs = withoutCircles(new Map(active.map((item) => [item.id, needsOf(item, byName)])))
  for (const [id, others] of needs) {
    const task = builds.get(id)
    if (!task) continue
    task.depends_on = others.flatMap((other) => builds.get(other)?.id ?? [])
    task.parallel = task.depends_on.length === 0
  }
  return made
}
