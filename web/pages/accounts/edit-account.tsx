import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import type { Cell } from '../../parts/cell'
import { EnvironmentChoice } from '../../parts/environment-choice'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { say } from '../../texts/say'

type Account = Schemas['CloudAccount']
interface Props { account: Account, onClose: () => void, onChange: () => void }

interface Credentials { role: string, keyId: string, secret: string }

/** @returns the credentials to send; undefined where nothing was changed: then those that are stored stay */
const authOf = ({ auth }: Account, { role, keyId, secret }: Credentials): Schemas['CloudAuthInput'] | undefined => {
  if (auth.type === 'assume_role' && role.trim() !== (auth.role_arn ?? '')) {
    return { type: 'assume_role', ...(role.trim() === '' ? {} : { role_arn: role.trim() }) }
  }
  return auth.type === 'access_keys' && keyId.trim() !== ''
    ? { type: 'access_keys', access_key_id: keyId.trim(), secret_access_key: secret }
    : undefined
}

const Check = ({ value, children }: { value: Cell<boolean>, children: string }) => <label class='check'>
  <input
    type='checkbox' checked={value.value} onChange={({ currentTarget }) => { value.value = currentTarget.checked }}
  />{children}
</label>

interface FieldsProps { account: Account, of: Record<keyof Credentials, Cell<string>> }

/** New credentials are tried by Steward before they replace the old ones. */
const CredentialFields = ({ account: { auth }, of }: FieldsProps) => {
  if (auth.type === 'assume_role') {
    return (
      <TextField
        label={say('account.role')} class='mono' value={of.role} placeholder='arn:aws:iam::123456789012:role/steward'
        pattern='arn:aws.*:iam::[0-9]{12}:role/.+' title={say('account.role.hint')}
      />
    )
  }
  return auth.type === 'access_keys'
    ? <>
      <TextField
        label={say('account.newKeyId', { hint: auth.access_key_id_hint ?? '' })} value={of.keyId} autocomplete='off'
      />
      <TextField
        label={say('account.newSecret')} type='password' value={of.secret} autocomplete='off'
        required={of.keyId.value.trim() !== ''}
      />
    </>
    : null
}

const regionsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Everything of an account that can be changed: its name, where to look, how it is reached, and what it is for. */
export const EditAccount = ({ account, onClose, onChange }: Props) => {
  const name = useSignal(account.name)
  const regions = useSignal(account.regions.join(', '))
  const credentials = { role: useSignal(account.auth.role_arn ?? ''), keyId: useSignal(''), secret: useSignal('') }
  const environment = useSignal(account.environment ?? '')
  const isReadOnly = useSignal(account.read_only)
  const isDisabled = useSignal(account.status === 'disabled')
  const save = async () => {
    const { role, keyId, secret } = credentials
    const auth = authOf(account, { role: role.value, keyId: keyId.value, secret: secret.value })
    const next: Schemas['UpdateCloudAccount'] = {
      name: name.value, environment: environment.value.trim() || null, read_only: isReadOnly.value
    }
    if (regions.value !== account.regions.join(', ')) next.regions = regionsOf(regions.value)
    if (isDisabled.value !== (account.status === 'disabled')) next.disabled = isDisabled.value
    if (auth) next.auth = auth
    await body(api.PATCH('/cloud/accounts/{account_id}', {
      params: { path: { account_id: account.id }, header: { 'If-Match': `"r${account.revision}"` } }, body: next
    }))
    onChange()
  }
  return (
    <FormDialog title={say('account.edit.title')} verb={say('account.save')} act={save} onClose={onClose}>
      <TextField label={say('account.name')} value={name} required maxLength={80} />
      <TextField label={say('account.regions')} class='mono' value={regions} required />
      <CredentialFields account={account} of={credentials} />
      <EnvironmentChoice
        label={say('account.environment')} value={environment} none={say('account.environment.none')}
      />
      <Check value={isReadOnly}>{say('account.edit.readOnly')}</Check>
      <Check value={isDisabled}>{say('account.disabled')}</Check>
    </FormDialog>
  )
}
