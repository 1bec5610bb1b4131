import { useSignal } from '@preact/signals'
import { KeyRound } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { CreateToken } from './create-token'
import { describeScopes } from './token-words'
import { say } from '../../texts/say'

type Token = Schemas['ApiToken']

const Row = ({ token, onRevoke }: { token: Token, onRevoke: () => void }) => <tr>
  <td>{token.name} <span class='mono muted'>{token.prefix}…</span></td>
  <td class='small muted'><span title={token.scopes.join(', ')}>{describeScopes(token.scopes)}</span>{' '}
    {token.assistant && <Badge tone='info'>{say('token.assistant')}</Badge>}
  </td>
  <td class='nowrap'><Time at={token.last_used_at} /></td>
  <td
    class='nowrap'
  >{token.revoked_at ? <Badge tone='bad'>{say('grants.revoked')}</Badge> : <Time at={token.expires_at} />}
  </td>
  <td>{!token.revoked_at && <button
    type='button' class='small danger' aria-label={say('token.revokeOne', { name: token.name })}
    onClick={onRevoke}
  >{say('grants.revoke')}
  </button>}
  </td>
</tr>

const NoTokens = () => <Empty icon={KeyRound} title={say('token.none')}>
  <p>{say('token.none.words')}</p>
</Empty>

export const Tokens = () => {
  const revoking = useSignal<Token | undefined>(undefined)
  const tokens = usePages<Token>([], (cursor, signal) =>
    body(api.GET('/account/tokens', { params: { query: { limit: 50, cursor } }, signal })))
  const close = () => { revoking.value = undefined }
  const revoke = async (id: string) => {
    await body(api.DELETE('/account/tokens/{token_id}', { params: { path: { token_id: id } } }))
    tokens.reload()
  }
  return (
    <div class='stack'>
      <CreateToken onChange={tokens.reload} />
      <section class='card flush' aria-label={say('settings.tokens')}>
        <List of={tokens} empty={<NoTokens />}>
          {(items) => <Table columns={[
            say('token.column'), say('token.may'), say('token.used'), say('token.expires'),
            { unseen: say('grants.revoke') }
          ]}
          >
            {items.map((token) => <Row key={token.id} token={token} onRevoke={() => { revoking.value = token }} />)}
          </Table>}
        </List>
      </section>
      {revoking.value && <ConfirmDialog
        title={say('token.revokeTitle')} verb={say('grants.revoke')} onClose={close}
        act={() => revoke(revoking.value?.id ?? '')}
      >{say('token.revoke.words', { name: revoking.value.name })}
      </ConfirmDialog>}
    </div>
  )
}
