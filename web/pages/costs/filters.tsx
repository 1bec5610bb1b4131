import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice, Form, TextField } from '../../parts/form'
import type { Cell } from '../../parts/cell'
import { ranges, type Range } from './range'
import { say, sayEach } from '../../texts/say'

const most = 100

const useAccounts = (): Schemas['CloudAccount'][] => useResource([], (signal) =>
  body(api.GET('/cloud/accounts', { params: { query: { limit: most } }, signal }))).data?.items ?? []

/** The chosen text is always among the options, also where nothing cost anything under it in this range. */
const optionsOf = (names: readonly string[], chosen: string, nothing: string): Record<string, string> =>
  Object.fromEntries([['', nothing], ...[...new Set(chosen === '' ? names : [chosen, ...names])]
    .filter(Boolean).sort().map((name) => [name, name])])

export interface Cells {
  range: Cell<Range>
  account: Cell<string>
  service: Cell<string>
  tag: Cell<string>
  value: Cell<string>
}

/** The key of a tag, as it is activated for costs in AWS; asked for with Enter, since AWS charges for each question. */
const TagKey = ({ tag, value }: Pick<Cells, 'tag' | 'value'>) => {
  const typed = useSignal(tag.value)
  const submit = () => {
    value.value = ''
    tag.value = typed.value.trim()
  }
  return (
    <Form class='row fixed tight end' label={say('cost.tag')} onSubmit={submit}>
      <TextField
        label={say('cost.tag')} value={typed} placeholder='team' maxLength={128} pattern='[^,]*'
        title={say('cost.tag.hint')}
      />
      <button class='small'>{say('cost.byTag')}</button>
    </Form>
  )
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
          '': say('cost.filter.allAccounts'), ...Object.fromEntries(accounts.map(({ id, name }) => [id, name]))
        }}
      />}
      <Choice
        label={say('cost.service')} value={service}
        options={optionsOf(services, service.value, say('cost.filter.allServices'))}
      />
      <TagKey key={tag.value} tag={tag} value={value} />
      {tag.value !== '' && <Choice
        label={say('cost.filter.value', { tag: tag.value })} value={value}
        options={optionsOf(values, value.value, say('cost.filter.allValues'))}
      />}
    </div>
  )
}
