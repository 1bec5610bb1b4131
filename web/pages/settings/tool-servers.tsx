import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { Notice, ProblemNotice } from '../../parts/notice'
import { toProblem } from '../../parts/problem-words'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { me } from '../../shell/session'
import { ServerTools } from './server-tools'
import { say, sayWith } from '../../texts/say'

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
    <FormCard title={say('tools.add')} verb={say('common.add')} action={add}>
      <TextField label={say('common.name')} value={name} required maxLength={20} placeholder='post' />
      <TextField
        label={say('tools.address')} value={url} required type='url' placeholder='https://tools.example.com/mcp'
      />
      <TextField label={say('tools.token')} value={token} type='password' autoComplete='off' />
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
      <ActionButton
        variant='small' label={say('tools.lookOne', { name: server.name })} act={look}
      >{say('tools.look')}
      </ActionButton>
      <ActionButton
        variant='small' act={turn}
        label={say(server.enabled ? 'common.turnOffOne' : 'common.turnOnOne', { name: server.name })}
      >
        {server.enabled ? say('common.turnOff') : say('common.turnOn')}
      </ActionButton>
      <button
        type='button' class='small danger' aria-label={say('common.removeOne', { name: server.name })}
        onClick={onRemove}
      >{say('common.remove')}
      </button>
    </div>
  )
}

const LeftOut = ({ server }: { server: Server }) => server.left_out.length === 0
  ? null
  : <Notice tone='warn'>{say('tools.leftOut', { count: server.left_out.length })}
    <ul>{server.left_out.map(({ name, reason }) => <li key={name}><code>{name}</code>: {reason}</li>)}</ul>
  </Notice>

const ServerCard = ({ server, isAdmin, onChange, onRemove }: ServerProps) => <section
  class='card stack' aria-label={say('tools.server', { name: server.name })}
>
  <div class='row'>
    <h2 class='grow'>{server.name} {!server.enabled && <Badge>{say('common.off')}</Badge>}{' '}
      {server.waiting > 0 && <Badge tone='warn'>{say('tools.toAccept', { count: server.waiting })}</Badge>}
    </h2>
    {isAdmin && <Actions server={server} onChange={onChange} onRemove={onRemove} />}
  </div>
  <p class='small muted'><span class='mono'>{server.url}</span> ·{' '}
    {sayWith('tools.lookedAt', { when: <Time at={server.looked_at} /> })}
    {server.header_names.length > 0 && <> · {say('tools.sends', { names: server.header_names.join(', ') })}</>}
  </p>
  {server.problem && <ProblemNotice problem={toProblem(server.problem)} />}
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
      <p>{say('tools.words')}
      </p>
      {isAdmin && <AddServer onChange={reload} />}
      <Loaded of={servers}>{({ items }) => <>
        {items.length === 0 && <p class='muted'>{say('tools.none')}</p>}
        {items.map((server) => <ServerCard
          key={`${server.id} ${server.looked_at}`} server={server} isAdmin={isAdmin} onChange={reload}
          onRemove={() => { removing.value = server }}
        />)}
      </>}
      </Loaded>
      {removing.value && <ConfirmDialog
        title={say('tools.remove')} verb={say('common.remove')} onClose={() => { removing.value = undefined }}
        act={() => remove(removing.value?.id ?? '')}
      >{say('tools.remove.words', { name: removing.value.name })}
      </ConfirmDialog>}
    </div>
  )
}
