import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice, TextField } from '../../parts/form'
import { formatOperation } from '../../parts/label'
import { PersonChoice } from '../../parts/person-choice'
import { filterNames, hasStatus, statuses, viewOf, type Filters } from './views'
import { say, type Key } from '../../texts/say'

/** @returns the tools of the newest questions, by name */
const useTools = (): Record<string, string> => {
  const query = { view: 'workspace', status: 'all', limit: 100 } as const
  const asked = useResource([], (signal) => body(api.GET('/api/v1/agent/confirmations', { params: { query }, signal })))
  const names = [...new Set((asked.data?.items ?? []).map(({ name }) => name))].sort()
  return Object.fromEntries(names.map((name) => [name, formatOperation(name)]))
}

const endings = {
  '': 'inbox.status.either', approved: 'inbox.status.approved', rejected: 'inbox.status.rejected'
} as const

const inWords = (options: Record<string, Key>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, key]) => [name, say(key)]))

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
    <search class='filters' aria-label={say('inbox.filters')}>
      <TextField label={say('inbox.filter.words')} value={q} type='search' placeholder='web prod' maxLength={200} />
      {hasStatus(view) && <Choice
        label={say('inbox.filter.status')} value={status} options={inWords(view === 'decided' ? endings : statuses)}
      />}
      {!isMine && <PersonChoice
        label={say('inbox.filter.askedBy')} value={asked} none={say('inbox.filter.everybody')}
      />}
      {hasStatus(view) && <PersonChoice
        label={say('inbox.filter.decidedBy')} value={decided} none={say('inbox.filter.everybody')}
      />}
      <Choice
        label={say('inbox.filter.tool')} value={tool}
        options={withChosen({ '': say('inbox.filter.allTools'), ...tools }, tool.value)}
      />
    </search>
  )
}

export const isFiltered = (filters: Filters): boolean =>
  filterNames.some((name) => name !== 'view' && filters[name].value.trim() !== '')

export const clearFilters = (filters: Filters): void => {
  for (const name of filterNames) if (name !== 'view') filters[name].value = ''
}
