import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice, TextField } from '../../parts/form'
import { formatLabel } from '../../parts/label'
import { PersonChoice } from '../../parts/person-choice'
import { filterNames, hasStatus, statuses, viewOf, type Filters } from './views'

/** @returns the tools of the newest questions, by name */
const useTools = (): Record<string, string> => {
  const query = { view: 'workspace', status: 'all', limit: 100 } as const
  const asked = useResource([], (signal) => body(api.GET('/api/v1/agent/confirmations', { params: { query }, signal })))
  const names = [...new Set((asked.data?.items ?? []).map(({ name }) => name))].sort()
  return Object.fromEntries(names.map((name) => [name, formatLabel(name)]))
}

const anyStatus: Record<string, string> = statuses
const endings: Record<string, string> = { '': 'Approved or rejected', approved: 'Approved', rejected: 'Rejected' }

/** An option that the address names and the list does not have stays chosen. */
const withChosen = (options: Record<string, string>, chosen: string): Record<string, string> =>
  chosen === '' || chosen in options ? options : { ...options, [chosen]: chosen }

/** Narrows the list; what is chosen is in the address. */
export const InboxFilters = ({ filters }: { filters: Filters }) => {
  const tools = useTools()
  const view = viewOf(filters.view.value)
  const { asked, decided, status, tool, q } = filters
  const isMine = view === 'asked' || view === 'others'
  return (
    <search class='filters' aria-label='Filters'>
      <TextField label='Words' value={q} type='search' placeholder='web prod' maxLength={200} />
      {hasStatus(view) && <Choice label='Status' value={status} options={view === 'decided' ? endings : anyStatus} />}
      {!isMine && <PersonChoice label='Asked by' value={asked} none='Everybody' />}
      {hasStatus(view) && <PersonChoice label='Decided by' value={decided} none='Everybody' />}
      <Choice label='Tool' value={tool} options={withChosen({ '': 'All tools', ...tools }, tool.value)} />
    </search>
  )
}

export const isFiltered = (filters: Filters): boolean =>
  filterNames.some((name) => name !== 'view' && filters[name].value.trim() !== '')

export const clearFilters = (filters: Filters): void => {
  for (const name of filterNames) if (name !== 'view') filters[name].value = ''
}
