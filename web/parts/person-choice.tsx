import { useSignal } from '@preact/signals'
import { findName, findPeople, type FindPeople } from '../api/people'
import { useResource } from '../api/resource'
import type { Cell } from './cell'
import { Combobox } from './combobox'

interface Props {
  label: string
  value: Cell<string>
  /** What stands for nobody, where nobody may be chosen. */
  none?: string
  find?: FindPeople
  /** Ids of people who are not offered. */
  without?: readonly string[]
  /** Names that are known already, of all who may be chosen. */
  known?: Record<string, string>
  unseen?: boolean
}

/** @returns the name of who is chosen: as they were found, or looked up where only an address names them */
const useChosen = (id: string, names: Record<string, string>, isKnown: boolean): string => {
  const { data, loading } = useResource([id, id in names], (signal) =>
    id === '' || isKnown || id in names ? Promise.resolve(id) : findName(id, signal))
  return id === '' ? '' : names[id] ?? (loading ? '' : data ?? id)
}

/** A choice of a person, whom the server finds by the name. */
export const PersonChoice = ({ label, value, none, find = findPeople, without = [], known, unseen }: Props) => {
  const seen = useSignal<Record<string, string>>({})
  const names = { ...seen.value, ...known }
  const chosen = useChosen(value.value, names, known !== undefined)
  const findOptions = async (q: string, signal: AbortSignal) => {
    const { people, isMore } = await find(q.slice(0, 100), signal)
    seen.value = { ...seen.value, ...Object.fromEntries(people.map(({ id, name }) => [id, name])) }
    const offered = people.filter(({ id }) => !without.includes(id))
    return { options: offered.map((item) => ({ key: item.id, label: item.name, item })), isMore }
  }
  return (
    <Combobox
      label={label} chosen={chosen} chosenKey={value.value} find={findOptions}
      {...(none !== undefined && { none })} {...(unseen && { unseen })}
      onChoose={(person) => { value.value = person?.id ?? '' }}
    />
  )
}
