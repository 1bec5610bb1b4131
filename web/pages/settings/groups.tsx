import { useSignal } from '@preact/signals'
import { Link, useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { Plus, Users } from '../../parts/icons'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Group } from './group'
import { say } from '../../texts/say'

type Listed = Schemas['Group']

const NewGroup = ({ onClose }: { onClose: () => void }) => {
  const name = useSignal('')
  const [, navigate] = useLocation()
  const make = async () => {
    const { id } = await body(api.POST('/account/groups', { body: { name: name.value } }))
    navigate(`/settings/groups/${id}`)
  }
  return (
    <FormDialog title={say('group.new')} verb={say('group.make')} act={make} onClose={onClose} shows={['/name']}>
      <TextField
        label={say('common.name')} value={name} pointer='/name' required maxLength={100}
        placeholder={say('group.example')}
      />
    </FormDialog>
  )
}

const Row = ({ group: { id, name, members } }: { group: Listed }) => <tr>
  <td><Link href={`/settings/groups/${id}`}>{name}</Link></td>
  <td>{members.map((member) => member.name).join(', ') || <span class='muted'>{say('group.nobody')}</span>}</td>
</tr>

const AllGroups = () => {
  const making = useSignal(false)
  const groups = usePages<Listed>([], (cursor, signal) =>
    body(api.GET('/account/groups', { params: { query: { limit: 50, cursor } }, signal })))
  const add = (
    <button type='button' class='primary' onClick={() => { making.value = true }}>
      <Plus size={16} aria-hidden='true' />{say('group.new')}
    </button>
  )
  return (
    <section class='card flush' aria-label={say('group.title')}>
      <header><h2>{say('group.title')}</h2>{groups.items.length > 0 && add}</header>
      <List
        of={groups}
        empty={<Empty icon={Users} title={say('group.none')}>
          <p>{say('group.none.words')}</p>{add}
        </Empty>}
      >{(items) => <Table columns={[say('group.column'), say('common.people')]}>
        {items.map((group) => <Row key={group.id} group={group} />)}
      </Table>}
      </List>
      {making.value && <NewGroup onClose={() => { making.value = false }} />}
    </section>
  )
}

/** The groups of people, or one of them. */
export const Groups = ({ of }: { of?: string | undefined }) => of === undefined ? <AllGroups /> : <Group id={of} />
