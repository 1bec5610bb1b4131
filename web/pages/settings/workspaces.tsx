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
import { say, sayWith } from '../../texts/say'

type Workspace = Schemas['AdministeredWorkspace']

const once = 'workspace.once'

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
      <FormCard title={say('workspace.new')} verb={say('common.create')} action={create}>
        <TextField label={say('common.name')} value={name} required maxLength={100} />
        <TextField label={say('workspace.hosts')} value={hosts} placeholder='team.example' />
        <TextField label={say('workspace.admin')} value={admin} required maxLength={100} />
      </FormCard>
      <ShownOnce text={link.value}>{say(once)}</ShownOnce>
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
    <FormDialog
      title={say('workspace.addAdminOf', { name: where })} verb={say('common.add')} act={add} onClose={onClose}
    >
      <TextField label={say('common.name')} value={name} required maxLength={100} />
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
      <td>{name}<ShownOnce text={link.value}>{say(once)}</ShownOnce></td>
      <td>{hosts.join(', ')}</td>
      <td class='nowrap'>
        <button type='button' class='small' onClick={() => { open.value = 'edit' }}>
          {sayWith('workspace.editOne', { name: <span class='unseen'>{name}</span> })}
        </button>{' '}
        <button type='button' class='small' onClick={() => { open.value = 'admin' }}>
          {sayWith('workspace.addAdmin', { name: <span class='unseen'>{say('workspace.ofName', { name })}</span> })}
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
      <section class='card flush' aria-label={say('settings.workspaces')}>
        <List of={workspaces} empty={null}>
          {(items) => <Table columns={[say('common.name'), say('workspace.hosts'), { unseen: say('common.change') }]}>
            {items.map((one) => <Row
              key={`${one.id} ${one.revision}`} workspace={one} onChange={workspaces.reload}
            />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
