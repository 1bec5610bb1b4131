import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { CancelButton, Dialog } from '../../parts/dialog'
import { ProblemNotice } from '../../parts/notice'
import { useUnsaved } from '../../parts/unsaved'
import { say } from '../../texts/say'
import { Policies } from './policies'

type Made = Schemas['NewCloudAccount']
interface Props { onClose: () => void, onChange: () => void }

const textOf = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()

const authOf = (data: FormData): Schemas['CloudAuthInput'] => data.get('type') === 'access_keys'
  ? {
      type: 'access_keys',
      access_key_id: textOf(data, 'access_key_id'),
      secret_access_key: textOf(data, 'secret_access_key')
    }
  : { type: 'assume_role', ...(textOf(data, 'role_arn') === '' ? {} : { role_arn: textOf(data, 'role_arn') }) }

const Setup = ({ made, onClose }: { made: Made, onClose: () => void }) => <>
  <p>{say('account.added', { name: made.name })}</p>
  <Policies setup={made.setup} />
  <div class='actions'><button type='button' class='primary' onClick={onClose}>{say('account.done')}</button></div>
</>

const Keys = () => <>
  <label class='field'><span>{say('account.keyId')}</span>
    <input name='access_key_id' required autocomplete='off' />
  </label>
  <label class='field'><span>{say('account.secret')}</span>
    <input name='secret_access_key' type='password' required autocomplete='off' />
  </label>
</>

const Role = () => <label class='field'><span>{say('account.roleLater')}</span>
  <input name='role_arn' placeholder='arn:aws:iam::123456789012:role/steward' />
</label>

const Form = ({ onMade }: { onMade: (made: Made) => void }) => {
  const mark = useUnsaved()
  const type = useSignal('assume_role')
  const { run, busy, problem } = useAction(async (data: FormData) => {
    const regions = textOf(data, 'regions').split(/[\s,]+/).filter(Boolean)
    const added = await body(api.POST('/cloud/accounts', {
      body: { name: textOf(data, 'name'), regions, auth: authOf(data) }
    }))
    mark(false)
    onMade(added)
  })
  return (
    <form
      class='stack' onInput={() => mark(true)} onSubmit={(event) => {
        event.preventDefault()
        void run(new FormData(event.currentTarget))
      }}
    >
      <label class='field'><span>{say('account.name')}</span><input name='name' required maxLength={100} /></label>
      <label class='field'><span>{say('account.regions')}</span>
        <input name='regions' required defaultValue='eu-west-1' />
      </label>
      <label class='field'><span>{say('account.reachedBy')}</span>
        <select name='type' value={type.value} onChange={(event) => { type.value = event.currentTarget.value }}>
          <option value='assume_role'>
            {say('account.auth.role')}
          </option><option value='access_keys'>{say('account.auth.keys')}
          </option>
        </select>
      </label>
      {type.value === 'access_keys' ? <Keys /> : <Role />}
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'>
        <CancelButton>{say('proposal.cancel')}</CancelButton>
        <button class='primary' disabled={busy}>{say('account.add')}</button>
      </div>
    </form>
  )
}

export const AddAccount = ({ onClose, onChange }: Props) => {
  const made = useSignal<Made | undefined>(undefined)
  const onMade = (account: Made) => {
    made.value = account
    onChange()
  }
  return (
    <Dialog title={say('account.add.title')} onClose={onClose}>
      {made.value ? <Setup made={made.value} onClose={onClose} /> : <Form onMade={onMade} />}
    </Dialog>
  )
}
