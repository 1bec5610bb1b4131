import { useSignal } from '@preact/signals'
import { ShieldCheck } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { describeScopes } from './token-words'

type Assistant = Schemas['ConnectedAssistant']

const Row = ({ of, onEnd }: { of: Assistant, onEnd: () => void }) => <tr>
  <td>{of.name}
    <div class='small muted'>
      {of.client_host ?? 'registered itself'}{of.redirect_host !== null && <>, answers go to {of.redirect_host}</>}
    </div>
  </td>
  <td class='small muted'><span title={of.scopes.join(', ')}>{describeScopes(of.scopes)}</span>,
    {of.resource === 'mcp' ? ' by tools' : ' by the API'}
  </td>
  <td class='nowrap'><Time at={of.created_at} /></td>
  <td class='nowrap'><Time at={of.last_used_at} /></td>
  <td><button type='button' class='small danger' aria-label={`Disconnect ${of.name}`} onClick={onEnd}>Disconnect
  </button>
  </td>
</tr>

const NoAssistants = () => <Empty icon={ShieldCheck} title='No connected assistants'>
  <p>Add Steward's address, with <code>/mcp</code>, to Claude, ChatGPT or an editor: it asks you here to be let in.</p>
</Empty>

/** Programs that I let in. */
export const Assistants = () => {
  const ending = useSignal<Assistant | undefined>(undefined)
  const assistants = usePages<Assistant>([], (cursor, signal) =>
    body(api.GET('/account/assistants', { params: { query: { limit: 50, cursor } }, signal })))
  const end = async (id: string) => {
    await body(api.DELETE('/account/assistants/{assistant_id}', { params: { path: { assistant_id: id } } }))
    assistants.reload()
  }
  return (
    <section class='card flush' aria-label='Connected assistants'>
      <List of={assistants} empty={<NoAssistants />}>
        {(items) => <Table columns={['Program', 'May', 'Since', 'Used', { unseen: 'Disconnect' }]}>
          {items.map((one) => <Row key={one.id} of={one} onEnd={() => { ending.value = one }} />)}
        </Table>}
      </List>
      {ending.value && <ConfirmDialog
        title='Disconnect the assistant' verb='Disconnect' onClose={() => { ending.value = undefined }}
        act={() => end(ending.value?.id ?? '')}
      >“{ending.value.name}” is refused from the next request on. To come back, it has to ask you again.
      </ConfirmDialog>}
    </section>
  )
}
