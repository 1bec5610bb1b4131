import { useSignal } from '@preact/signals'
import { Cloud, Plus } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { SettingsMenu } from '../settings/menu'
import { AccountCard } from './account-card'
import { AddAccount } from './add-account'
import { say } from '../../texts/say'

const NoAccounts = () => <div class='card'>
  <Empty icon={Cloud} title={say('account.none')}>
    <p>{say('account.none.words')}</p>
  </Empty>
</div>

export default function AccountsPage () {
  const adding = useSignal(false)
  const accounts = usePages<Schemas['CloudAccount']>([], (cursor, signal) =>
    body(api.GET('/cloud/accounts', { params: { query: { limit: 30, cursor } }, signal })))
  const add = (
    <button type='button' class='primary' onClick={() => { adding.value = true }}>
      <Plus size={16} aria-hidden='true' />{say('account.addOne')}
    </button>
  )
  return (
    <div class='page'>
      <PageHead title={say('account.title')} guide='cloud-accounts' actions={add}>{say('account.words')}</PageHead>
      <div class='with-menu'>
        <SettingsMenu current='/accounts' />
        <List of={accounts} empty={<NoAccounts />}>
          {(items) => <div class='stack'>
            {items.map((account) => <AccountCard key={account.id} account={account} onChange={accounts.reload} />)}
          </div>}
        </List>
      </div>
      {adding.value && <AddAccount onClose={() => { adding.value = false }} onChange={accounts.reload} />}
    </div>
  )
}
