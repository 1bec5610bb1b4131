import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { Users } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { Choice, TextField } from '../../parts/form'
import { FormCard, ShownOnce } from '../../parts/form-card'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { Person } from './person'
import { PersonState } from './person-state'
import { say, sayEach } from '../../texts/say'

type User = Schemas['User']
const roles = {
  none: 'role.bound',
  viewer: 'role.viewer',
  operator: 'role.operator',
  member: 'role.member',
  approver: 'role.approver',
  admin: 'role.admin'
} as const

const words = Object.keys(roles) as User['role'][] // An object's keys are text to TypeScript.

const roleOf = (text: string): User['role'] => words.find((role) => role === text) ?? 'viewer'

const Row = ({ user, onChange }: { user: User, onChange: () => void }) => {
  const change = useAction(async (next: Schemas['UpdateUser']) => {
    await body(api.PATCH('/account/users/{user_id}', { params: { path: { user_id: user.id } }, body: next }))
    onChange()
  })
  const next = user.status === 'active' ? 'disabled' : 'active'
  return (
    <tr>
      <td><Link href={`/settings/members/${user.id}`}>{user.name}</Link><div class='small muted'>{user.email}</div>
        {change.problem && <ProblemNotice problem={change.problem} />}
      </td>
      <td><select
        aria-label={say('member.roleOf', { name: user.name })} value={user.role} disabled={change.busy}
        onChange={(event) => { void change.run({ role: roleOf(event.currentTarget.value) }) }}
      >{words.map((role) => <option key={role} value={role}>{say(roles[role])}</option>)}
      </select>
      </td>
      <td><PersonState of={user} /></td>
      <td class='nowrap'>{user.first_sign_in_at ? <Time at={user.first_sign_in_at} /> : say('member.notYet')}</td>
      <td><button
        type='button' class='small' disabled={change.busy}
        onClick={() => { void change.run({ status: next }) }}
      >
        {next === 'active' ? say('member.enable') : say('member.disable')} <span class='unseen'>{user.name}</span>
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
      <FormCard title={say('member.inviteTitle')} verb={say('member.invite')} action={invite}>
        <TextField label={say('common.name')} value={name} required maxLength={100} />
        <Choice label={say('common.role')} value={role} options={sayEach(roles)} />
      </FormCard>
      <ShownOnce text={link.value}>{say('member.once')}</ShownOnce>
    </>
  )
}

const AllMembers = () => {
  const users = usePages<User>([], (cursor, signal) =>
    body(api.GET('/account/users', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <Invite onChange={users.reload} />
      <section class='card flush' aria-label={say('common.people')}>
        <List of={users} empty={<Empty icon={Users} title={say('member.none')} />}>
          {(items) => <Table columns={[
            say('common.name'), say('common.role'), say('common.status'), say('member.first'),
            { unseen: say('common.change') }
          ]}
          >
            {items.map((user) => <Row key={user.id} user={user} onChange={users.reload} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}

/** The people of the workspace, or one of them. */
export const Members = ({ of }: { of?: string | undefined }) =>
  of === undefined ? <AllMembers /> : <Person key={of} id={of} />
