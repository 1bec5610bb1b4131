import { useSignal } from '@preact/signals'
import { FlaskConical, Pencil, Trash2 } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { AccountMarks } from '../../parts/account-marks'
import { Badge, formatState, StateBadge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { ProblemNotice } from '../../parts/notice'
import { Time } from '../../parts/time'
import { me } from '../../shell/session'
import { EditAccount } from './edit-account'
import { Setup } from './policies'
import { TestResult, useOf } from './test-result'
import { Trail } from './trail'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Account = Schemas['CloudAccount']
interface Props { account: Account, onChange: () => void }

const tones = { ok: 'good', denied: 'bad', unknown: 'plain' } as const

const Capabilities = ({ of }: { of: Account['capabilities'] }) => <div class='row tight'>
  {Object.entries(of).map(([name, state]) => <Badge key={name} tone={tones[state]}>
    {useOf(name)}: {state === 'unknown' ? say('account.untested') : formatState(state)}
  </Badge>)}
</div>

const credentials = {
  assume_role: 'account.by.role', access_keys: 'account.by.keys', ambient: 'account.by.server'
} as const

const Facts = ({ account }: { account: Account }) => <dl class='facts'>
  <dt>{say('account.aws')}</dt><dd>{account.aws_account_id ?? say('account.aws.unknown')}</dd>
  <dt>{say('account.regions')}</dt><dd>{account.regions.join(', ')}</dd>
  <dt>{say('account.reachedBy')}</dt>
  <dd>{say(credentials[account.auth.type])} {account.auth.role_arn && <code>{account.auth.role_arn}</code>}</dd>
  <dt>{say('account.mayDo')}</dt>
  <dd>{account.sessions.narrowed ? say('account.narrowed') : say('account.wide')}
    {account.sessions.reason && <span class='small muted'> {translate('services', account.sessions.reason)}</span>}
  </dd>
  <dt>{say('account.lastTest')}</dt>
  <dd>{account.last_test ? <Time at={account.last_test.at} /> : say('account.never')}</dd>
</dl>

const Marks = ({ of: account }: { of: Account }) => <>
  <StateBadge state={account.status === 'connected' ? 'healthy' : account.status} />
  <AccountMarks of={account} />
  {account.sandbox && <Badge tone='warn'>{say('account.sandbox')}</Badge>}
</>

const RemoveAccount = ({ account, onClose, onChange }: Props & { onClose: () => void }) => <ConfirmDialog
  title={say('account.remove.title')} verb={say('account.remove')} onClose={onClose}
  act={async () => {
    await body(api.DELETE('/cloud/accounts/{account_id}', { params: { path: { account_id: account.id } } }))
    onChange()
  }}
>{say('account.remove.words', { name: account.name })}
</ConfirmDialog>

export const AccountCard = ({ account, onChange }: Props) => {
  const result = useSignal<Schemas['AccountTest'] | undefined>(undefined)
  const deleting = useSignal(false)
  const editing = useSignal(false)
  const params = { path: { account_id: account.id } }
  const test = useAction(async () => {
    result.value = await body(api.POST('/cloud/accounts/{account_id}/test', { params }))
    onChange()
  })
  return (
    <article class='card stack' aria-label={account.name}>
      <div class='row spread'>
        <div class='row'>
          <h2>{account.name}</h2>
          <Marks of={account} />
        </div>
        <div class='row tight'>
          <button type='button' disabled={test.busy} onClick={() => { void test.run() }}>
            <FlaskConical size={16} aria-hidden='true' />{test.busy ? say('account.testing') : say('account.test')}
          </button>
          <button
            type='button' class='quiet icon' aria-label={say('account.edit.of', { name: account.name })}
            onClick={() => { editing.value = true }}
          ><Pencil size={16} aria-hidden='true' />
          </button>
          <button
            type='button' class='quiet icon' aria-label={say('account.remove.of', { name: account.name })}
            onClick={() => { deleting.value = true }}
          ><Trash2 size={16} aria-hidden='true' />
          </button>
        </div>
      </div>
      <Facts account={account} />
      <Capabilities of={account.capabilities} />
      {me.value?.role === 'admin' && <Setup accountId={account.id} />}
      {account.sessions.narrowed && <Trail accountId={account.id} />}
      {test.problem && <ProblemNotice problem={test.problem} />}
      {result.value && <TestResult result={result.value} />}
      {editing.value && <EditAccount
        account={account} onClose={() => { editing.value = false }} onChange={onChange}
      />}
      {deleting.value && <RemoveAccount
        account={account} onClose={() => { deleting.value = false }} onChange={onChange}
      />}
    </article>
  )
}
