import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import type { Cell } from '../../../parts/cell'
import { Choice, NumberField, TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { ListEditor } from '../../../parts/list-editor'
import { bodyOf, fieldsOf, type Fields, type Provider, type Rule } from './fields'
import { say, sayEach, type Key } from '../../../texts/say'

const roles: Record<Provider['role'], Key> = {
  none: 'identity.noRole',
  viewer: 'role.viewer',
  operator: 'role.operator',
  member: 'role.member',
  approver: 'role.approver',
  admin: 'role.admin'
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
    <ListEditor<Rule> label={say('identity.rules')} one={say('identity.rule')} of={of} blank={() => ({ value: '' })}>
      {(rule) => <>
        <TextField label={say('identity.groupThere')} value={partOf(rule, 'value')} required maxLength={300} />
        <Choice<string>
          label={say('identity.roleHere')} value={partOf(rule, 'role')}
          options={{ '': say('role.none'), ...sayEach(roles) }}
        />
        <Choice<string>
          label={say('identity.groupHere')} value={partOf(rule, 'group_id')}
          options={{ '': say('identity.noGroup'), ...names }}
        />
      </>}
    </ListEditor>
  )
}

const Client = ({ of, provider }: { of: Signal<Fields>, provider: Provider | undefined }) => <>
  <TextField label={say('identity.button')} value={cellOf(of, 'name')} pointer='/name' required maxLength={60} />
  {!provider && <TextField
    label={say('identity.issuer')} value={cellOf(of, 'issuer')} pointer='/issuer' type='url' required maxLength={500}
    placeholder='https://id.example.com'
  />}
  <TextField
    label={say('identity.client')} value={cellOf(of, 'client_id')} pointer='/client_id' required maxLength={300}
  />
  <TextField
    label={provider?.has_secret ? say('identity.secretKept') : say('identity.secret')} value={cellOf(of, 'secret')}
    pointer='/secret' type='password' autoComplete='off' maxLength={1_000}
  />
  <TextField label={say('identity.scopes')} value={cellOf(of, 'scopes')} pointer='/scopes' />
</>

const People = ({ of }: { of: Signal<Fields> }) => <>
  <TextField
    label={say('identity.domains')} value={cellOf(of, 'domains')} pointer='/domains' placeholder='example.com'
  />
  <Tick label={say('identity.justInTime')} value={cellOf(of, 'just_in_time')} />
  <Tick
    label={say('identity.byEmail')}
    value={cellOf(of, 'joins_by_email')}
  />
  <Choice label={say('identity.newRole')} value={cellOf(of, 'role')} options={sayEach(roles)} />
  <TextField
    label={say('identity.claim')} value={cellOf(of, 'groups_claim')} pointer='/groups_claim' placeholder='groups'
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
      title={provider ? say('common.changeOne', { name: provider.name }) : say('identity.addTitle')}
      verb={say(provider ? 'common.save' : 'common.add')}
      act={save} onClose={onClose} shows={pointers}
    >
      <Client of={fields} provider={provider} />
      <People of={fields} />
      <Rules of={cellOf(fields, 'rules')} groups={groups.data?.items ?? []} />
      <NumberField label={say('identity.check')} value={cellOf(fields, 'check_minutes')} min={1} max={1_440} />
      <NumberField
        label={say('identity.grace')} value={cellOf(fields, 'grace_minutes')} min={0} max={10_080}
      />
    </FormDialog>
  )
}
