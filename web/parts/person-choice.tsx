import { useSignal } from '@preact/signals'
import { findActiveUsers, findName, findPeople, type FindPeople, type Person } from '../api/people'
import { useResource } from '../api/resource'
import type { Cell } from './cell'
import { Combobox } from './combobox'
import { formatExact } from './time'
import { me } from '../shell/session'
import { say } from '../texts/say'

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

/** @returns when a record was made: ids of version 7 begin with the milliseconds */
const timeOf = (id: string): number | undefined =>
  id.charAt(14) === '7' ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : undefined

/** @returns what distinguishes a person from others with the same name */
const detailOf = ({ id, name, email }: Person, people: readonly Person[]): string | undefined => {
  if (people.filter((one) => one.name === name).length < 2) return undefined
  const time = timeOf(id)
  return email ?? (time === undefined ? undefined : say('choice.added', { time: formatExact(time) }))
}

const findForMe: FindPeople = (q, signal) => (me.peek()?.role === 'admin' ? findActiveUsers : findPeople)(q, signal)

/** A choice of a person, whom the server finds by the name. */
export const PersonChoice = ({ label, value, none, find = findForMe, without = [], known, unseen }: Props) => {
  const seen = useSignal<Record<string, string>>({})
  const names = { ...seen.value, ...known }
  const chosen = useChosen(value.value, names, known !== undefined)
  const findOptions = async (q: string, signal: AbortSignal) => {
    const { people, isMore } = await find(q.slice(0, 100), signal)
    seen.value = { ...seen.value, ...Object.fromEntries(people.map(({ id, name }) => [id, name])) }
    const offered = people.filter(({ id }) => !without.includes(id))
    return {
      options: offered.map((item) =>
        ({ key: item.id, label: item.name, detail: detailOf(item, people), item })),
      isMore
    }
  }
  return (
    <Combobox
      label={label} chosen={chosen} chosenKey={value.value} find={findOptions}
      {...(none !== undefined && { none })} {...(unseen && { unseen })}
      onChoose={(person) => { value.value = person?.id ?? '' }}
    />
  )
}
