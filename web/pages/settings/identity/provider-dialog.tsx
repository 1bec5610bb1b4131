import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import type { Cell } from '../../../parts/cell'
import { Choice, NumberField, TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { ListEditor } from '../../../parts/list-editor'
import { bodyOf, fieldsOf, type Fields, type Provider, type Rule } from './fields'

const roles: Record<Provider['role'], string> = {
  none: 'none', viewer: 'viewer', operator: 'operator', member: 'member', approver: 'approver', admin: 'admin'
}
const pointers = ['/issuer', '/name', '/client_id', '/secret', '/scopes', '/domains', '/groups_claim']

const cellOf = <Name extends keyof Fields>(of: Signal<Fields>, name: Name): Cell<Fields[Name]> => ({
  get value () { return of.value[name] },
  set value (next) { of.value = { ...of.value, [name]: next } }
})

const Tick = ({ label, value }: { label: string, value: Cell<boolean> }) => <label class='row tight'>
  <input
    type='checkbox' checked={value.value} onChange={({ currentTarget: { checked } }) => { value.value = checked }}
  />
  <span>{label}</span>
</label>

const partOf = <Name extends keyof Rule>(of: Cell<Rule>, name: Name): Cell<string> => ({
  get value () { return of.value[name] ?? '' },
  set value (next) {
    const { [name]: _, ...rest } = of.value
    // The choices are those that the rule's part may be.
    of.value = (next === '' ? { value: '', ...rest } : { ...of.value, [name]: next }) as Rule
  }
})

const Rules = ({ of, groups }: { of: Cell<Rule[]>, groups: Schemas['Group'][] }) => {
  const names = Object.fromEntries(groups.map(({ id, name }) => [id, name]))
  return (
    <ListEditor<Rule> label='Rules' one='rule' of={of} blank={() => ({ value: '' })}>
      {(rule) => <>
        <TextField label='Group there' value={partOf(rule, 'value')} required maxLength={300} />
        <Choice<string> label='Role here' value={partOf(rule, 'role')} options={{ '': 'no role', ...roles }} />
        <Choice<string> label='Group here' value={partOf(rule, 'group_id')} options={{ '': 'no group', ...names }} />
      </>}
    </ListEditor>
  )
}

const Client = ({ of, provider }: { of: Signal<Fields>, provider: Provider | undefined }) => <>
  <TextField label='Name on the button' value={cellOf(of, 'name')} pointer='/name' required maxLength={60} />
  {!provider && <TextField
    label='Issuer' value={cellOf(of, 'issuer')} pointer='/issuer' type='url' required maxLength={500}
    placeholder='https://id.example.com'
  />}
  <TextField label='Client id' value={cellOf(of, 'client_id')} pointer='/client_id' required maxLength={300} />
  <TextField
    label={provider?.has_secret ? 'Client secret (empty: as it is)' : 'Client secret'} value={cellOf(of, 'secret')}
    pointer='/secret' type='password' autoComplete='off' maxLength={1_000}
  />
  <TextField label='Scopes beside openid' value={cellOf(of, 'scopes')} pointer='/scopes' />
</>

const People = ({ of }: { of: Signal<Fields> }) => <>
  <TextField
    label='Allowed e-mail domains' value={cellOf(of, 'domains')} pointer='/domains' placeholder='example.com'
  />
  <Tick label='Who is not known here becomes a person by signing in' value={cellOf(of, 'just_in_time')} />
  <Tick
    label='A verified address of an allowed domain leads to the person who has it'
    value={cellOf(of, 'joins_by_email')}
  />
  <Choice label='Role of new people' value={cellOf(of, 'role')} options={roles} />
  <TextField
    label='Claim with groups' value={cellOf(of, 'groups_claim')} pointer='/groups_claim' placeholder='groups'
    maxLength={200}
  />
</>

/** Adds a provider, or changes one. */
export const ProviderDialog = ({ provider, onClose }: { provider: Provider | undefined, onClose: () => void }) => {
  const fields = useSignal(fieldsOf(provider))
  const groups = useResource([], (signal) =>
    body(api.GET('/account/groups', { params: { query: { limit: 100 } }, signal })))
  const save = () => provider
    ? body(api.PATCH('/account/identity-providers/{provider_id}', {
      params: { path: { provider_id: provider.id }, header: { 'If-Match': `"r${provider.revision}"` } },
      body: bodyOf(fields.value)
    }))
    : body(api.POST('/account/identity-providers', { body: { ...bodyOf(fields.value), issuer: fields.value.issuer } }))
  return (
    <FormDialog
      title={provider ? `Change ${provider.name}` : 'Add an identity provider'} verb={provider ? 'Save' : 'Add'}
      act={save} onClose={onClose} shows={pointers}
    >
      <Client of={fields} provider={provider} />
      <People of={fields} />
      <Rules of={cellOf(fields, 'rules')} groups={groups.data?.items ?? []} />
      <NumberField label='Minutes between checks' value={cellOf(fields, 'check_minutes')} min={1} max={1_440} />
      <NumberField
        label='Minutes of grace when it is down' value={cellOf(fields, 'grace_minutes')} min={0} max={10_080}
      />
    </FormDialog>
  )
}
