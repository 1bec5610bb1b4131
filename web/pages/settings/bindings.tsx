import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { Lock } from '../../parts/icons'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { GiveRole } from './give-role'
import { nameOf, roles, usePlaces, type Places } from './scopes'
import { say } from '../../texts/say'

type Binding = Schemas['Binding']
export type Subject = Schemas['BindingSubject'] & { name: string }

const isRole = (text: string): text is Binding['role'] => text in roles

interface RowProps { binding: Binding, places: Places, onChange: () => void }

const Row = ({ binding, places, onChange }: RowProps) => {
  const params = { path: { binding_id: binding.id } }
  const where = nameOf(binding.scope, places)
  const change = useAction(async (role: Binding['role']) => {
    await body(api.PATCH('/account/bindings/{binding_id}', { params, body: { role } }))
    onChange()
  })
  const take = useAction(async () => {
    await body(api.DELETE('/account/bindings/{binding_id}', { params }))
    onChange()
  })
  const problem = change.problem ?? take.problem
  return (
    <tr>
      <td><select
        aria-label={say('binding.roleOn', { where })} value={binding.role} disabled={change.busy}
        onChange={({ currentTarget: { value } }) => { if (isRole(value)) void change.run(value) }}
      >{Object.entries(roles).map(([role, words]) => <option key={role} value={role}>{say(words)}</option>)}
      </select>
      </td>
      <td>{where}{problem && <ProblemNotice problem={problem} />}</td>
      <td><button
        type='button' class='small danger' disabled={take.busy}
        aria-label={say('binding.takeOne', { role: say(roles[binding.role]), where })}
        onClick={() => { void take.run() }}
      >{say('binding.take')}
      </button>
      </td>
    </tr>
  )
}

/** What a person or a group may do where, beside the person's role in the workspace. */
export const Bindings = ({ of }: { of: Subject }) => {
  const giving = useSignal(false)
  const places = usePlaces()
  const filter = of.kind === 'user' ? { user_id: of.id } : { group_id: of.id }
  const bindings = usePages<Binding>([of.id], (cursor, signal) => body(api.GET('/account/bindings',
    { params: { query: { limit: 50, cursor, ...filter } }, signal })))
  const give = <button type='button' onClick={() => { giving.value = true }}>{say('binding.give')}</button>
  return (
    <section class='card flush' aria-label={say('binding.title')}>
      <header><h2>{say('binding.title')}</h2>{bindings.items.length > 0 && give}</header>
      <List
        of={bindings}
        empty={<Empty icon={Lock} title={say('binding.none')}>
          <p>{say('binding.none.words')}</p>{give}
        </Empty>}
      >{(items) => <Table columns={[say('common.role'), say('binding.where'), { unseen: say('binding.take') }]}>
        {items.map((binding) =>
          <Row key={binding.id} binding={binding} places={places} onChange={bindings.reload} />)}
      </Table>}
      </List>
      {giving.value && <GiveRole
        of={of} places={places} onChange={bindings.reload} onClose={() => { giving.value = false }}
      />}
    </section>
  )
}
