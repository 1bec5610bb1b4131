import { environmentsOf, useAccounts } from '../api/accounts'
import type { Cell } from './cell'
import { Combobox, type Found } from './combobox'

const asOption = (name: string) => ({ key: name, label: name, item: name })

/** @returns the environments with these words, and what was typed as well: a new one begins as a name */
const findIn = (known: readonly string[], q: string): Found<string> => {
  const name = q.toLowerCase()
  const isNew = /^[a-z][a-z0-9-]{0,29}$/.test(name) && !known.includes(name)
  return {
    options: [...known.filter((one) => one.includes(name)), ...(isNew ? [name] : [])].map(asOption), isMore: false
  }
}

interface Props { label: string, value: Cell<string>, none?: string }

/** What accounts are for: one of those that are in use, or a new one. */
export const EnvironmentChoice = ({ label, value, none }: Props) => {
  const known = environmentsOf(useAccounts())
  return (
    <Combobox
      label={label} chosen={value.value} {...(none !== undefined && { none })}
      find={(q) => Promise.resolve(findIn(known, q))} onChoose={(name = '') => { value.value = name }}
    />
  )
}
