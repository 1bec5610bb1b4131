import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { me } from '../../shell/session'
import { ServerTools } from './server-tools'

type Server = Schemas['ToolServer']

const AddServer = ({ onChange }: { onChange: () => void }) => {
  const [name, url, token] = [useSignal(''), useSignal(''), useSignal('')]
  const add = useAction(async () => {
    const headers = token.value === '' ? {} : { headers: { Authorization: `Bearer ${token.value}` } }
    await body(api.POST('/tool-servers', { body: { name: name.value, url: url.value, ...headers } }))
    for (const field of [name, url, token]) field.value = ''
    onChange()
  })
  return (
    <FormCard title='Add a tool server' verb='Add' action={add}>
      <TextField label='Name' value={name} required maxLength={20} placeholder='post' />
      <TextField label='Address' value={url} required type='url' placeholder='https://tools.example.com/mcp' />
      <TextField label='Bearer token' value={token} type='password' autoComplete='off' />
    </FormCard>
  )
}

interface ServerProps { server: Server, isAdmin: boolean, onChange: () => void, onRemove: () => void }

const Actions = ({ server, onChange, onRemove }: Omit<ServerProps, 'isAdmin'>) => {
  const params = { path: { server_id: server.id } }
  const look = async () => {
    try {
      await body(api.POST('/tool-servers/{server_id}/refresh', { params }))
    } finally {
      onChange()
    }
  }
  const turn = async () => {
    await body(api.PATCH('/tool-servers/{server_id}', { params, body: { enabled: !server.enabled } }))
    onChange()
  }
  return (
    <div class='row tight'>
      <ActionButton variant='small' label={`Look again at ${server.name}`} act={look}>Look again</ActionButton>
      <ActionButton variant='small' label={`${server.enabled ? 'Turn off' : 'Turn on'} ${server.name}`} act={turn}>
        {server.enabled ? 'Turn off' : 'Turn on'}
      </ActionButton>
      <button type='button' class='small danger' aria-label={`Remove ${server.name}`} onClick={onRemove}>Remove</button>
    </div>
  )
}

const LeftOut = ({ server }: { server: Server }) => server.left_out.length === 0
  ? null
  : <Notice tone='warn'>{server.left_out.length} of its tools cannot be used:
    <ul>{server.left_out.map(({ name, reason }) => <li key={name}><code>{name}</code>: {reason}</li>)}</ul>
  </Notice>

const ServerCard = ({ server, isAdmin, onChange, onRemove }: ServerProps) => <section
  class='card stack' aria-label={`Tool server ${server.name}`}
>
  <div class='row'>
    <h2 class='grow'>{server.name} {!server.enabled && <Badge>off</Badge>}{' '}
      {server.waiting > 0 && <Badge tone='warn'>{server.waiting} to accept</Badge>}
    </h2>
    {isAdmin && <Actions server={server} onChange={onChange} onRemove={onRemove} />}
  </div>
  <p class='small muted'><span class='mono'>{server.url}</span> · looked at <Time at={server.looked_at} />
    {server.header_names.length > 0 && <> · sends {server.header_names.join(', ')}</>}
  </p>
  {server.problem && <Notice tone='bad'>{server.problem.detail} <code>{server.problem.code}</code></Notice>}
  <LeftOut server={server} />
  <ServerTools server={server} isAdmin={isAdmin} onChange={onChange} />
</section>

/** Other people's MCP servers, whose tools the assistant may call. */
export const ToolServers = () => {
  const removing = useSignal<Server | undefined>(undefined)
  const isAdmin = me.value?.user.role === 'admin'
  const servers = useResource([], async (signal) => body(api.GET('/tool-servers', { signal })))
  const { reload } = servers
  const remove = async (id: string) => {
    await body(api.DELETE('/tool-servers/{server_id}', { params: { path: { server_id: id } } }))
    reload()
  }
  return (
    <div class='stack'>
      <p>Tools of MCP servers that others run. What they say and answer is not checked by anyone: each call asks you
        first, without a preview, unless an admin sets a tool otherwise.
      </p>
      {isAdmin && <AddServer onChange={reload} />}
      <Loaded of={servers}>{({ items }) => <>
        {items.length === 0 && <p class='muted'>There are no tool servers.</p>}
        {items.map((server) => <ServerCard
          key={`${server.id} ${server.looked_at}`} server={server} isAdmin={isAdmin} onChange={reload}
          onRemove={() => { removing.value = server }}
        />)}
      </>}
      </Loaded>
      {removing.value && <ConfirmDialog
        title='Remove the tool server' verb='Remove' onClose={() => { removing.value = undefined }}
        act={() => remove(removing.value?.id ?? '')}
      >“{removing.value.name}” and its tools are gone from the assistant. Calls that wait for approval are never made.
      </ConfirmDialog>}
    </div>
  )
}
