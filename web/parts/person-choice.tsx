import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { findPeople, type FindPeople } from '../api/people'
import { useResource } from '../api/resource'
import { useSettled } from '../api/settled'
import type { Cell } from './cell'
import { Choice, TextField } from './form'
import { say } from '../texts/say'

interface Props {
  label: string
  value: Cell<string>
  /** What is chosen while nobody is. */
  none: string
  find?: FindPeople
  /** Ids of people who are not offered. */
  without?: readonly string[]
  /** Names that are known already, of who may be chosen. */
  known?: Record<string, string>
  unseen?: boolean
}

/** A choice of a person. Of more than fit into it, a box beside it finds them by their names. */
export const PersonChoice = ({ label, value, none, find = findPeople, without = [], known = {}, unseen }: Props) => {
  const words = useSignal('')
  const isMany = useSignal(false)
  const names = useSignal(known)
  const found = useSignal<readonly { id: string, name: string }[]>([])
  const q = useSettled(words.value.trim())
  const { data } = useResource([q], (signal) => find(q, signal))
  useEffect(() => {
    if (!data) return
    if (data.isMore) isMany.value = true
    found.value = data.people
    names.value = { ...names.value, ...Object.fromEntries(data.people.map(({ id, name }) => [id, name])) }
  }, [data])
  const offered = found.value.filter(({ id }) => !without.includes(id))
  const options = { '': none, ...Object.fromEntries(offered.map(({ id, name }) => [id, name])) }
  // Who is chosen stays, though the words find others.
  const chosen = value.value === '' || value.value in options
    ? {}
    : { [value.value]: names.value[value.value] ?? value.value }
  return (
    <>
      {isMany.value &&
        <TextField label={say('person.find', { label })} value={words} type='search' maxLength={100} />}
      <Choice label={label} value={value} options={{ ...options, ...chosen }} {...(unseen && { unseen })} />
    </>
  )
}
