import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { TextField } from '../../parts/form'
import { FormCard, ShownOnce } from '../../parts/form-card'
import { FormDialog } from '../../parts/form-dialog'
import { List } from '../../parts/list'
import { Table } from '../../parts/table'
import { EditWorkspace, hostsOf } from './workspace-form'

type Workspace = Schemas['AdministeredWorkspace']

const once = 'Send this link to the admin: it signs in once, within 7 days, and is not shown again.'

const Create = ({ onChange }: { onChange: () => void }) => {
  const [name, hosts, admin] = [useSignal(''), useSignal(''), useSignal('')]
  const link = useSignal<string | undefined>(undefined)
  const create = useAction(async () => {
    const made = await body(api.POST('/account/workspaces', {
      body: { name: name.value, hosts: hostsOf(hosts.value), admin: { name: admin.value } }
    }))
    link.value = made.link?.url
    for (const field of [name, hosts, admin]) field.value = ''
    onChange()
  })
  return (
    <>
      <FormCard title='New workspace' verb='Create' action={create}>
        <TextField label='Name' value={name} required maxLength={100} />
        <TextField label='Host names' value={hosts} placeholder='team.example' />
        <TextField label='First admin' value={admin} required maxLength={100} />
      </FormCard>
      <ShownOnce text={link.value}>{once}</ShownOnce>
    </>
  )
}

interface AddAdminProps { workspace: Workspace, onLink: (link: string) => void, onClose: () => void }

const AddAdmin = ({ workspace: { id, name: where }, onLink, onClose }: AddAdminProps) => {
  const name = useSignal('')
  const add = async () => {
    const made = await body(api.POST('/account/workspaces/{workspace_id}/admins', {
      params: { path: { workspace_id: id } }, body: { name: name.value }
    }))
    onLink(made.link.url)
  }
  return (
    <FormDialog title={`Add an admin of ${where}`} verb='Add' act={add} onClose={onClose}>
      <TextField label='Name' value={name} required maxLength={100} />
    </FormDialog>
  )
}

const Row = ({ workspace, onChange }: { workspace: Workspace, onChange: () => void }) => {
  const open = useSignal<'edit' | 'admin' | undefined>(undefined)
  const link = useSignal<string | undefined>(undefined)
  const close = () => { open.value = undefined }
  const { name, hosts } = workspace
  return (
    <tr>
      <td>{name}<ShownOnce text={link.value}>{once}</ShownOnce></td>
      <td>{hosts.join(', ')}</td>
      <td class='nowrap'>
        <button type='button' class='small' onClick={() => { open.value = 'edit' }}>
          Edit <span class='unseen'>{name}</span>
        </button>{' '}
        <button type='button' class='small' onClick={() => { open.value = 'admin' }}>
          Add admin <span class='unseen'>of {name}</span>
        </button>
        {open.value === 'edit' && <EditWorkspace
          workspace={workspace} onClose={() => {
            close()
            onChange()
          }}
        />}
        {open.value === 'admin' && <AddAdmin
          workspace={workspace} onLink={(url) => { link.value = url }} onClose={close}
        />}
      </td>
    </tr>
  )
}

/** For the admins of the installation. */
export const Workspaces = () => {
  const workspaces = usePages<Workspace>([], (cursor, signal) =>
    body(api.GET('/account/workspaces', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <Create onChange={workspaces.reload} />
      <section class='card flush' aria-label='Workspaces'>
        <List of={workspaces} empty={null}>
          {(items) => <Table columns={['Name', 'Host names', { unseen: 'Change' }]}>
            {items.map((one) => <Row key={`${one.id} ${one.revision}`} workspace={one} onChange={workspaces.reload} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
