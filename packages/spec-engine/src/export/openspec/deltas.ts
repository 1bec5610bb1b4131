import type { Requirement, SpecDocument } from '../../schemas/document.js'
import type { Home } from '../../import/write-back.js'
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

/** The requirements that the repository has, by id: under which heading each stands there, and its text now. */
export type Homes = ReadonlyMap<string, Home>

class Deltas {
  constructor (private readonly homes: Homes) {}

  #nameOf (item: Requirement): string {
    // A new one is named as its neighbours are.
    const home = this.homes.get(item.id) ?? this.homes.values().next().value
    return nameOf(item, home?.hasId ?? true)
  }

  #added (item: Requirement, name = this.#nameOf(item)): Delta {
    return { kind: 'ADDED', id: item.id, name, text: textOf(item) }
  }

  #removed ({ name, item: { id } }: Held, reason: string, migration: string): Delta {
    return { kind: 'REMOVED', id, name, reason, migration }
  }

  /** OpenSpec forbids removing a scenario from a requirement, so that the change removes it and adds it anew. */
  #replace (held: Held, item: Requirement): { held: Held, group: Group } {
    const own = this.#nameOf(item)
    const name = own === held.name ? `${held.name} (restated)` : own
    const reason = 'A scenario of it no longer holds.'
    return {
      held: { name, item },
      group: [this.#removed(held, reason, `It is stated anew as “${name}”.`), this.#added(item, name)]
    }
  }

  #change (held: Held | undefined, item: Requirement): { held: Held, group: Group } {
    if (!held) return { held: { name: this.#nameOf(item), item }, group: [this.#added(item)] }
    if (losesScenario(held.item, item)) return this.#replace(held, item)
    const { id } = item
    const isRenamed = this.#nameOf(held.item) !== this.#nameOf(item)
    const name = isRenamed ? this.#nameOf(item) : held.name
    const text = textOf(item)
    const group: Group = [
      ...(isRenamed ? [{ kind: 'RENAMED' as const, id, name, from: held.name }] : []),
      ...(text === textOf(held.item) ? [] : [{ kind: 'MODIFIED' as const, id, name, text: this.homes.get(id)?.text ?? text }])
    ]
    return { held: { name, item }, group }
  }

  #goneFrom (state: State, { requirements }: SpecDocument): Group[] {
    const now = new Map(requirements.map((item) => [item.id, item]))
    const isGone = ({ item }: Held) => now.get(item.id)?.status !== 'active'
    return [...state.values()].filter(isGone).map((held) => {
      const reason = now.get(held.item.id)?.retire_reason ?? 'It is no longer in the spec.'
      return [this.#removed(held, reason, 'The spec names none.')]
    })
  }

  step (state: State, document: SpecDocument): { state: State, groups: Group[] } {
    const active = document.requirements.filter(({ status }) => status === 'active')
    const changes = active.map((item) => this.#change(state.get(item.id), item))
    return {
      state: new Map(changes.map(({ held }) => [held.item.id, held])),
      groups: [...changes.map(({ group }) => group), ...this.#goneFrom(state, document)].filter(({ length }) => length > 0)
    }
  }
}

/**
 * @param settled the documents that made the main spec, oldest first
 * @returns the document's changes to the main spec by requirement, and whether no requirement remains
 */
export const deltasOf = (settled: readonly SpecDocument[], document: SpecDocument, homes: Homes):
{ groups: Group[], isEmpty: boolean } => {
  const deltas = new Deltas(homes)
  const before = settled.reduce<State>((state, one) => deltas.step(state, one).state, new Map())
  const { state, groups } = deltas.step(before, document)
  return { groups, isEmpty: state.size === 0 }
}
