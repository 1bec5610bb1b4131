import type { Cell } from '../../parts/cell'
import type { Kind } from '../services/read-running'

/** Whose log is read. */
export interface Source { kind: Kind, id: string }

/** Each is read by itself, every few seconds while it is live. */
export const mostSources = 10

/** Ids have no comma: they are made of names of AWS. */
const idsOf = (text: string): string[] => text.split(',').filter((id) => id !== '')

export const keyOf = ({ kind, id }: Source): string => `${kind}:${id}`

/** The name of what runs is the last part of its id. */
export const nameOf = ({ id }: Source): string => id.split('~').at(-1) ?? id

interface Cells { services: Cell<string>, functions: Cell<string> }

/** @returns what is chosen, as the address has it */
export const sourcesOf = ({ services, functions }: Cells): Source[] => [
  ...idsOf(services.value).map((id): Source => ({ kind: 'service', id })),
  ...idsOf(functions.value).map((id): Source => ({ kind: 'function', id }))
].slice(0, mostSources)

const cellOf = ({ services, functions }: Cells, { kind }: Source): Cell<string> =>
  kind === 'service' ? services : functions

export const addSource = (cells: Cells, source: Source): void => {
  const cell = cellOf(cells, source)
  cell.value = [...new Set([...idsOf(cell.value), source.id])].join(',')
}

export const removeSource = (cells: Cells, source: Source): void => {
  const cell = cellOf(cells, source)
  cell.value = idsOf(cell.value).filter((id) => id !== source.id).join(',')
}

/** @returns the page of logs with this source, and the words that are filtered for */
export const toLogs = ({ kind, id }: Source, filter = ''): string => {
  const query = new URLSearchParams({ [kind === 'service' ? 'services' : 'functions']: id })
  if (filter !== '') query.set('filter', filter)
  return `/logs?${query.toString()}`
}
