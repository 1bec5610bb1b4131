import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { useAction } from '../../api/action'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Crumbs } from '../../parts/crumbs'
import { Form, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { Users } from '../../parts/icons'
import { ProblemNotice } from '../../parts/notice'
import { PersonChoice } from '../../parts/person-choice'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Bindings } from './bindings'
import { say } from '../../texts/say'

type Listed = Schemas['Group']

interface Props { group: Listed, onChange: () => void }

/** Only on the revision that is shown: nobody's change is undone unseen. Either way it is read again. */
const update = async ({ group: { id, revision }, onChange }: Props, change: Schemas['UpdateGroup']) => {
  const params = { path: { group_id: id }, header: { 'If-Match': `"r${revision}"` } }
  await body(api.PATCH('/account/groups/{group_id}', { params, body: change })).finally(onChange)
}

const Rename = ({ group, onChange, onClose }: Props & { onClose: () => void }) => {
  const name = useSignal(group.name)
  const save = async () => {
    await update({ group, onChange }, { name: name.value })
  }
  return (
    <FormDialog title={say('group.rename')} verb={say('common.save')} act={save} onClose={onClose} shows={['/name']}>
      <TextField label={say('common.name')} value={name} pointer='/name' required maxLength={100} />
    </FormDialog>
  )
}

const Delete = ({ group, onClose }: { group: Listed, onClose: () => void }) => {
  const [, navigate] = useLocation()
  const remove = async () => {
    await body(api.DELETE('/account/groups/{group_id}', { params: { path: { group_id: group.id } } }))
    navigate('/settings/groups')
  }
  return (
    <ConfirmDialog title={say('group.delete')} verb={say('common.delete')} act={remove} onClose={onClose}>
      {say('group.delete.words', { name: group.name })}
    </ConfirmDialog>
  )
}

const AddPerson = ({ group, onChange }: Props) => {
  const chosen = useSignal('')
  const members = group.members.map(({ user_id: id }) => id)
  const add = useAction(async () => {
    await update({ group, onChange }, { member_ids: [...members, chosen.value] })
    chosen.value = ''
  })
  return (
    <>
      <Form class='row end' label={say('group.addPerson')} onSubmit={() => { void add.run() }}>
        <PersonChoice label={say('common.person')} value={chosen} without={members} />
        <button class='primary' disabled={add.busy || chosen.value === ''}>{say('common.add')}</button>
      </Form>
      {add.problem && <ProblemNotice problem={add.problem} />}
    </>
  )
}

const Member = ({ group, member, onChange }: Props & { member: Listed['members'][number] }) => {
  const remove = useAction(async () => {
    const member_ids = group.members.map(({ user_id: id }) => id).filter((id) => id !== member.user_id)
    await update({ group, onChange }, { member_ids })
  })
  return (
    <tr>
      <td>{member.name}{remove.problem && <ProblemNotice problem={remove.problem} />}</td>
      <td><button
        type='button' class='small danger' disabled={remove.busy}
        aria-label={say('common.removeOne', { name: member.name })}
        onClick={() => { void remove.run() }}
      >{say('common.remove')}
      </button>
      </td>
    </tr>
  )
}

const Members = ({ group, onChange }: Props) => <section class='card flush' aria-label={say('group.people')}>
  <header><h2>{say('common.people')}</h2><div><AddPerson group={group} onChange={onChange} /></div></header>
  {group.members.length === 0
    ? <Empty icon={Users} title={say('group.empty')}><p>{say('group.empty.words')}</p></Empty>
    : <Table columns={[say('common.name'), { unseen: say('common.remove') }]}>
      {group.members.map((member) =>
        <Member key={member.user_id} group={group} member={member} onChange={onChange} />)}
    </Table>}
</section>

const Shown = ({ group, onChange }: Props) => {
  const open = useSignal<'rename' | 'delete' | undefined>(undefined)
  const close = () => { open.value = undefined }
  return (
    <>
      <div class='row spread'>
        <h2>{group.name}</h2>
        <div class='row tight'>
          <button type='button' onClick={() => { open.value = 'rename' }}>{say('common.rename')}</button>
          <button
            type='button' class='danger' onClick={() => { open.value = 'delete' }}
          >{say('common.delete')}
          </button>
        </div>
      </div>
      <Members group={group} onChange={onChange} />
      <Bindings of={{ kind: 'group', id: group.id, name: group.name }} />
      {open.value === 'rename' && <Rename group={group} onChange={onChange} onClose={close} />}
      {open.value === 'delete' && <Delete group={group} onClose={close} />}
    </>
  )
}

/** One group: its people, and what they may do where. */
export const Group = ({ id }: { id: string }) => {
  const group = useResource([id], (signal) =>
    body(api.GET('/account/groups/{group_id}', { params: { path: { group_id: id } }, signal })))
  return (
    <div class='stack'>
      <Crumbs to={[[say('group.title'), '/settings/groups']]} />
      <Loaded of={group}>{(data) => <Shown group={data} onChange={group.reload} />}</Loaded>
    </div>
  )
}
