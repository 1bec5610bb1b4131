import { namesOfAccounts } from '../../api/account-names'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Combobox, findAmong } from '../../parts/combobox'
import { Choice } from '../../parts/form'
import type { Cell } from '../../parts/cell'
import { ranges, type Range } from './range'
import { TagChoice } from './tag-choice'
import { say, sayEach } from '../../texts/say'

const most = 100

const useAccounts = (): Schemas['CloudAccount'][] => useResource([], (signal) =>
  body(api.GET('/cloud/accounts', { params: { query: { limit: most } }, signal }))).data?.items ?? []

/** The chosen text is always among the options, also where nothing cost anything under it in this range. */
const namesOf = (names: readonly string[], chosen: string): string[] =>
  [...new Set(chosen === '' ? names : [chosen, ...names])].filter(Boolean).sort()

const optionsOf = (names: readonly string[], chosen: string, nothing: string): Record<string, string> =>
  Object.fromEntries([['', nothing], ...namesOf(names, chosen).map((name) => [name, name])])

const asOption = (name: string) => ({ key: name, label: name, item: name })

export interface Cells {
  range: Cell<Range>
  account: Cell<string>
  service: Cell<string>
  tag: Cell<string>
  value: Cell<string>
}

interface Props { cells: Cells, services: readonly string[], values: readonly string[] }

/** Range, account, service and tag; all in the address. */
export const CostFilters = ({ cells, services, values }: Props) => {
  const accounts = useAccounts()
  const { range, account, service, tag, value } = cells
  return (
    <div class='filters'>
      <Choice label={say('cost.filter.days')} value={range} options={sayEach<Range>(ranges)} />
      {(accounts.length > 1 || account.value !== '') && <Choice
        label={say('cost.filter.account')} value={account}
        options={{
          '': say('cost.filter.allAccounts'), ...namesOfAccounts(accounts)
        }}
      />}
      <Combobox
        label={say('cost.service')} chosen={service.value} none={say('cost.filter.allServices')}
        find={findAmong<string>(namesOf(services, service.value).map(asOption))}
        onChoose={(name = '') => { service.value = name }}
      />
      <TagChoice
        account={account.value} chosen={tag.value} onChoose={(key) => {
          value.value = ''
          tag.value = key
        }}
      />
      {tag.value !== '' && <Choice
        label={say('cost.filter.value', { tag: tag.value })} value={value}
        options={optionsOf(values, value.value, say('cost.filter.allValues'))}
      />}
    </div>
  )
}
