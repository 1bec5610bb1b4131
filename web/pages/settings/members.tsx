import { useSignal } from '@preact/signals'
import { Users } from 'lucide-preact'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Notice, ProblemNotice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'

type User = Schemas['User']
const roles = ['viewer', 'member', 'admin'] as const
const roleOf = (text: string): User['role'] => roles.find((role) => role === text) ?? 'viewer'

const Roles = () => <>{roles.map((role) => <option key={role} value={role}>{role}</option>)}</>

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
      ><Roles />
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
  const { run, busy, problem } = useAction(async () => {
    const invited = await body(api.POST('/account/users', { body: { name: name.value, role: role.value } }))
    link.value = invited.link.url
    name.value = ''
    onChange()
  })
  return (
    <form
      class='card stack' onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <h2>Invite somebody</h2>
      <div class='fields'>
        <label class='field'><span>Name</span><input
          required maxLength={100} value={name.value}
          onInput={(event) => { name.value = event.currentTarget.value }}
        />
        </label>
        <label class='field'><span>Role</span>
          <select value={role.value} onChange={(event) => { role.value = roleOf(event.currentTarget.value) }}>
            <Roles />
          </select>
        </label>
        <button class='primary' disabled={busy}>Invite</button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {link.value && <Notice tone='good'>Send this link: it signs in once, within 7 days, and is not shown again.
        <pre class='block' tabIndex={0}>{link.value}</pre>
      </Notice>}
    </form>
  )
}

export const Members = () => {
  const users = usePages<User>([], (cursor, signal) =>
    body(api.GET('/account/users', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <Invite onChange={users.reload} />
      <section class='card flush' aria-label='Members'>
        <List of={users} empty={<Empty icon={Users} title='Nobody here' />}>
          {(items) => <div class='table' tabIndex={0}>
            <table>
              <thead><tr><th scope='col'>Name</th><th scope='col'>Role</th><th scope='col'>Status</th>
                <th scope='col'>First signed in</th><th scope='col'><span class='unseen'>Change</span></th>
              </tr>
              </thead>
              <tbody>{items.map((user) => <Row key={user.id} user={user} onChange={users.reload} />)}</tbody>
            </table>
          </div>}
        </List>
      </section>
    </div>
  )
}
