import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Loaded } from '../../parts/states'
import { Json } from '../../parts/value'
import { useOf } from './test-result'
import { say } from '../../texts/say'

type AccountSetup = Schemas['AccountSetup']

const isEmpty = (policy: object): boolean => Object.keys(policy).length === 0

/** The documents to paste in AWS: who may assume the role, and what each part of Steward needs. */
export const Policies = ({ setup: { trust_policy: trust, policies } }: { setup: AccountSetup }) => <>
  {!isEmpty(trust) && <><h3>{say('account.trust')}</h3><Json value={trust} /></>}
  {Object.entries(policies).map(([name, policy]) => <details key={name}>
    <summary>{say('account.policy', { name: useOf(name) })}</summary><Json value={policy} />
  </details>)}
</>

const Read = ({ accountId }: { accountId: string }) => {
  const setup = useResource([accountId], (signal) => body(api.GET('/cloud/accounts/{account_id}/setup',
    { params: { path: { account_id: accountId } }, signal })))
  return <Loaded of={setup}>{(data) => <div class='stack tight'><Policies setup={data} /></div>}</Loaded>
}

/** The same documents again, for whoever did not paste them when the account was added. */
export const Setup = ({ accountId }: { accountId: string }) => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
      <summary>{say('account.policies')}</summary>
      {isOpen.value && <Read accountId={accountId} />}
    </details>
  )
}
