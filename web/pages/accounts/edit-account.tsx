import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'

interface Props { account: Schemas['CloudAccount'], onClose: () => void, onChange: () => void }

/** What an account is called, what it is for, and whether anything may be changed through it. */
export const EditAccount = ({ account, onClose, onChange }: Props) => {
  const name = useSignal(account.name)
  const environment = useSignal(account.environment ?? '')
  const isReadOnly = useSignal(account.read_only)
  const save = async () => {
    await body(api.PATCH('/cloud/accounts/{account_id}', {
      params: { path: { account_id: account.id }, header: { 'If-Match': `"r${account.revision}"` } },
      body: { name: name.value, environment: environment.value.trim() || null, read_only: isReadOnly.value }
    }))
    onChange()
  }
  return (
    <FormDialog title='Edit the account' verb='Save' act={save} onClose={onClose}>
      <TextField label='Name' value={name} required maxLength={80} />
      <TextField
        label='Environment, such as production (optional)' value={environment} pattern='[a-z][a-z0-9\-]{0,29}'
        title='Small letters, digits and hyphens'
      />
      <label class='check'>
        <input
          type='checkbox' checked={isReadOnly.value}
          onChange={(event) => { isReadOnly.value = event.currentTarget.checked }}
        />Read-only: Steward changes nothing through this account, whoever asks
      </label>
    </FormDialog>
  )
}
