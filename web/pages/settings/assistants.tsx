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
import { say, sayWith } from '../../texts/say'

type Assistant = Schemas['ConnectedAssistant']

const hostsOf = ({ client_host: client, redirect_host: redirect }: Assistant): string => {
  const host = client ?? say('assistant.registered')
  return redirect === null ? host : say('assistant.answers', { host, redirect })
}

const Row = ({ of, onEnd }: { of: Assistant, onEnd: () => void }) => <tr>
  <td>{of.name}
    <div class='small muted'>
      {hostsOf(of)}
    </div>
  </td>
  <td class='small muted'>{sayWith(of.resource === 'mcp' ? 'assistant.byTools' : 'assistant.byApi', {
    scopes: <span title={of.scopes.join(', ')}>{describeScopes(of.scopes)}</span>
  })}
  </td>
  <td class='nowrap'><Time at={of.created_at} /></td>
  <td class='nowrap'><Time at={of.last_used_at} /></td>
  <td><button
    type='button' class='small danger' aria-label={say('assistant.disconnectOne', { name: of.name })} onClick={onEnd}
  >{say('assistant.disconnect')}
  </button>
  </td>
</tr>

const NoAssistants = () => <Empty icon={ShieldCheck} title={say('assistant.none')}>
  <p>{sayWith('assistant.none.words', { path: <code>/mcp</code> })}</p>
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
    <section class='card flush' aria-label={say('assistant.title')}>
      <List of={assistants} empty={<NoAssistants />}>
        {(items) => <Table columns={[
          say('assistant.program'), say('token.may'), say('assistant.since'), say('token.used'),
          { unseen: say('assistant.disconnect') }
        ]}
        >
          {items.map((one) => <Row key={one.id} of={one} onEnd={() => { ending.value = one }} />)}
        </Table>}
      </List>
      {ending.value && <ConfirmDialog
        title={say('assistant.disconnectTitle')} verb={say('assistant.disconnect')}
        onClose={() => { ending.value = undefined }} act={() => end(ending.value?.id ?? '')}
      >{say('assistant.disconnect.words', { name: ending.value.name })}
      </ConfirmDialog>}
    </section>
  )
}
