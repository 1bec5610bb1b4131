import type { Requirement, SpecDocument } from '../../schemas/document.js'
import { losesScenario, nameOf, textOf } from './requirement.js'

/** One operation of a change on the main spec. */
export type Delta =
  | { kind: 'ADDED' | 'MODIFIED', id: string, name: string, text: string }
  | { kind: 'REMOVED', id: string, name: string, reason: string, migration: string }
  | { kind: 'RENAMED', id: string, name: string, from: string }

/** A requirement with its name in the main spec. */
interface Held { name: string, item: Requirement }
type State = ReadonlyMap<string, Held>

/** The deltas of one requirement, which one change must contain. */
export type Group = Delta[]

const added = (item: Requirement, name = nameOf(item)): Delta =>
  ({ kind: 'ADDED', id: item.id, name, text: textOf(item) })

const removed = ({ name, item: { id } }: Held, reason: string, migration: string): Delta =>
  ({ kind: 'REMOVED', id, name, reason, migration })

/** OpenSpec forbids removing a scenario from a requirement, so that the change removes it and adds it anew. */
const replace = (held: Held, item: Requirement): { held: Held, group: Group } => {
  const name = nameOf(item) === held.name ? `${held.name} (restated)` : nameOf(item)
  const reason = 'A scenario of it no longer holds.'
  return { held: { name, item }, group: [removed(held, reason, `It is stated anew as “${name}”.`), added(item, name)] }
}

const change = (held: Held | undefined, item: Requirement): { held: Held, group: Group } => {
  if (!held) return { held: { name: nameOf(item), item }, group: [added(item)] }
  if (losesScenario(held.item, item)) return replace(held, item)
  const { id } = item
  const isRenamed = nameOf(held.item) !== nameOf(item)
  const name = isRenamed ? nameOf(item) : held.name
  const text = textOf(item)
  const group: Group = [
    ...(isRenamed ? [{ kind: 'RENAMED' as const, id, name, from: held.name }] : []),
    ...(text === textOf(held.item) ? [] : [{ kind: 'MODIFIED' as const, id, name, text }])
  ]
  return { held: { name, item }, group }
}

const isActive = ({ status }: Requirement): boolean => status === 'active'

const goneFrom = (state: State, { requirements }: SpecDocument): Group[] => {
  const now = new Map(requirements.map((item) => [item.id, item]))
  const isGone = ({ item }: Held) => now.get(item.id)?.status !== 'active'
  return [...state.values()].filter(isGone).map((held) => {
    const reason = now.get(held.item.id)?.retire_reason ?? 'It is no longer in the spec.'
    return [removed(held, reason, 'The spec names none.')]
  })
}

const step = (state: State, document: SpecDocument): { state: State, groups: Group[] } => {
  const active = document.requirements.filter(isActive)
  const changes = active.map((item) => change(state.get(item.id), item))
  return {
    state: new Map(changes.map(({ held }) => [held.item.id, held])),
    groups: [...changes.map(({ group }) => group), ...goneFrom(state, document)].filter(({ length }) => length > 0)
  }
}

/**
 * @param settled the documents that made the main spec, oldest first
 * @returns the document's changes to the main spec by requirement, and whether no requirement remains
 */
export const deltasOf = (settled: readonly SpecDocument[], document: SpecDocument):
{ groups: Group[], isEmpty: boolean } => {
  const before = settled.reduce<State>((state, one) => step(state, one).state, new Map())
  const { state, groups } = step(before, document)
  return { groups, isEmpty: state.size === 0 }
}
