import type { Cell } from './cell'
import { Combobox, findAmong } from './combobox'

interface Props {
  label: string
  value: Cell<string>
  /** Names by what the cell holds; a list that is here already. */
  options: Record<string, string>
  /** What stands for nothing, where nothing may be chosen. */
  none?: string
}

/** @returns the name of what is chosen; while the list is read, none */
const nameOf = (key: string, options: Record<string, string>): string =>
  options[key] ?? (Object.keys(options).length === 0 ? '' : key)

/** A choice among many, which finds by words of the name. */
export const ListChoice = ({ label, value, options, none }: Props) => <Combobox
  label={label} chosen={nameOf(value.value, options)} chosenKey={value.value}
  {...(none !== undefined && { none })}
  find={findAmong<string>(Object.entries(options).map(([key, name]) => ({ key, label: name, item: key })))}
  onChoose={(key = '') => { value.value = key }}
/>
