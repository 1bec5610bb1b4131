import { useSignal } from '@preact/signals'
import { Users } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { Choice, TextField } from '../../parts/form'
import { FormCard, ShownOnce } from '../../parts/form-card'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'

type User = Schemas['User']
const roles = { viewer: 'viewer', member: 'member', admin: 'admin' } as const

const roleOf = (text: string): User['role'] => Object.values(roles).find((role) => role === text) ?? 'viewer'

const Row = ({ user, onChange }: { user: User, onChange: () => void }) => {
  const change = useAction(async (next: Schemas['UpdateUser']) => {
    await body(api.PATCH('/account/users/{user_id}', { params: { path: { user_id: user.id } }, body: next }))
    onChange()
  })
  const next = user.status === 'active' ? 'disabled' : 'active'
  return (
    <tr>
      <td>{user.name}<div class='small muted'>{user.email}</div>
        {change.problem && <ProblemNotice problem={change.problem} />}
      </td>
      <td><select
        aria-label={`Role of ${user.name}`} value={user.role} disabled={change.busy}
        onChange={(event) => { void change.run({ role: roleOf(event.currentTarget.value) }) }}
      >{Object.values(roles).map((role) => <option key={role} value={role}>{role}</option>)}
      </select>
      </td>
      <td><StateBadge state={user.status} /></td>
      <td class='nowrap'><Time at={user.first_sign_in_at} /></td>
      <td><button
        type='button' class='small' disabled={change.busy}
        onClick={() => { void change.run({ status: next }) }}
      >
        {next === 'active' ? 'Enable' : 'Disable'} <span class='unseen'>{user.name}</span>
      </button>
      </td>
    </tr>
  )
}

const Invite = ({ onChange }: { onChange: () => void }) => {
  const name = useSignal('')
  const role = useSignal<User['role']>('member')
  const link = useSignal<string | undefined>(undefined)
  const invite = useAction(async () => {
    const invited = await body(api.POST('/account/users', { body: { name: name.value, role: role.value } }))
    link.value = invited.link.url
    name.value = ''
    onChange()
  })
  return (
    <>
      <FormCard title='Invite a person' verb='Invite' action={invite}>
        <TextField label='Name' value={name} required maxLength={100} />
        <Choice label='Role' value={role} options={roles} />
      </FormCard>
      <ShownOnce text={link.value}>Send this link: it signs in once, within 7 days, and is not shown again.</ShownOnce>
    </>
  )
}

export const Members = () => {
  const users = usePages<User>([], (cursor, signal) =>
    body(api.GET('/account/users', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <Invite onChange={users.reload} />
      <section class='card flush' aria-label='Members'>
        <List of={users} empty={<Empty icon={Users} title='No members' />}>
          {(items) => <Table columns={['Name', 'Role', 'Status', 'First signed in', { unseen: 'Change' }]}>
            {items.map((user) => <Row key={user.id} user={user} onChange={users.reload} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
