import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Dialog } from '../../parts/dialog'
import { ProblemNotice } from '../../parts/notice'
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
  <p>“{made.name}” is added. Paste these in AWS, then run its permission test.</p>
  <Policies setup={made.setup} />
  <div class='actions'><button type='button' class='primary' onClick={onClose}>Done</button></div>
</>

const Keys = () => <>
  <label class='field'><span>Access key ID</span><input name='access_key_id' required autocomplete='off' /></label>
  <label class='field'><span>Secret access key</span>
    <input name='secret_access_key' type='password' required autocomplete='off' />
  </label>
</>

const Role = () => <label class='field'><span>Role ARN (may follow later)</span>
  <input name='role_arn' placeholder='arn:aws:iam::123456789012:role/steward' />
</label>

const Form = ({ onMade, onClose }: { onMade: (made: Made) => void, onClose: () => void }) => {
  const type = useSignal('assume_role')
  const { run, busy, problem } = useAction(async (data: FormData) => {
    const regions = textOf(data, 'regions').split(/[\s,]+/).filter(Boolean)
    onMade(await body(api.POST('/cloud/accounts', {
      body: { name: textOf(data, 'name'), regions, auth: authOf(data) }
    })))
  })
  return (
    <form
      class='stack' onSubmit={(event) => {
        event.preventDefault()
        void run(new FormData(event.currentTarget))
      }}
    >
      <label class='field'><span>Name</span><input name='name' required maxLength={100} /></label>
      <label class='field'><span>Regions</span><input name='regions' required defaultValue='eu-west-1' /></label>
      <label class='field'><span>Reached by</span>
        <select name='type' value={type.value} onChange={(event) => { type.value = event.currentTarget.value }}>
          <option value='assume_role'>A role</option><option value='access_keys'>Access keys, kept encrypted</option>
        </select>
      </label>
      {type.value === 'access_keys' ? <Keys /> : <Role />}
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'>
        <button type='button' onClick={onClose}>Cancel</button><button class='primary' disabled={busy}>Add</button>
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
    <Dialog title='Add a cloud account' onClose={onClose}>
      {made.value ? <Setup made={made.value} onClose={onClose} /> : <Form onMade={onMade} onClose={onClose} />}
    </Dialog>
  )
}
