import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import type { Cell } from './cell'
import { Combobox, type Found } from './combobox'
import { say } from '../texts/say'

type Repository = Schemas['Repository']

const [most, mostPages] = [30, 10]

/** Where the code host cannot search, a page may be empty and not be the last: then the next one is asked for. */
export const findRepositories = async (q: string, signal: AbortSignal): Promise<Found<Repository>> => {
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const query = { limit: most, cursor, q: q.slice(0, 100) || undefined }
    const { items, next_cursor: next } = await body(api.GET('/codehost/repos', { params: { query }, signal }))
    if (items.length > 0 || next === null || page === mostPages) {
      return {
        options: items.map((item) => ({ key: item.id, label: item.full_name, item })), isMore: next !== null
      }
    }
    cursor = next
  }
}

/** A choice among all repositories that the person may see at the code host, by a part of the name. */
export const RepositoryChoice = ({ value }: { value: Cell<string> }) => {
  const name = useSignal('')
  return (
<Combobox
  label={say('repository.label')} chosen={value.value === '' ? '' : name.value || value.value}
  find={findRepositories} onChoose={(repository) => {
    name.value = repository?.full_name ?? ''
    value.value = repository?.id ?? ''
  }}
/>
  )
}
