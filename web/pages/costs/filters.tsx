import { namesOfAccounts } from '../../api/account-names'
import { useAccounts } from '../../api/accounts'
import { Choice } from '../../parts/form'
import { ListChoice } from '../../parts/list-choice'
import type { Cell } from '../../parts/cell'
import { groupName } from './group-name'
import { ranges, type Range } from './range'
import { TagChoice } from './tag-choice'
import { say, sayEach } from '../../texts/say'

/** The chosen text is always among the options, also where nothing cost anything under it in this range. */
const namesOf = (names: readonly string[], chosen: string): string[] =>
  [...new Set(chosen === '' ? names : [chosen, ...names])].filter(Boolean).sort()

const optionsOf = (names: readonly string[], chosen: string): Record<string, string> =>
  Object.fromEntries(namesOf(names, chosen).map((name) => [name, groupName(name)]))

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
      {(accounts.length > 1 || account.value !== '') && <ListChoice
        label={say('cost.filter.account')} value={account} none={say('cost.filter.allAccounts')}
        options={namesOfAccounts(accounts)}
      />}
      <ListChoice
        label={say('cost.service')} value={service} none={say('cost.filter.allServices')}
        options={optionsOf(services, service.value)}
      />
      <TagChoice
        account={account.value} chosen={tag.value} onChoose={(key) => {
          value.value = ''
          tag.value = key
        }}
      />
      {tag.value !== '' && <ListChoice
        label={say('cost.filter.value', { tag: tag.value })} value={value} none={say('cost.filter.allValues')}
        options={optionsOf(values, value.value)}
      />}
    </div>
  )
}
