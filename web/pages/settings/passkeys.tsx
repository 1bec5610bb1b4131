import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { KeyRound } from '../../parts/icons'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { createPasskey } from '../../passkeys/authenticator'
import { say } from '../../texts/say'

type Passkey = Schemas['Passkey']

const Add = ({ onChange }: { onChange: () => void }) => {
  const name = useSignal('')
  const add = useAction(async () => {
    const options = await body(api.POST('/account/passkeys/options'))
    await body(api.POST('/account/passkeys', { body: await createPasskey(options, name.value) }))
    name.value = ''
    onChange()
  })
  return (
    <FormCard title={say('passkeys.add')} verb={say('passkeys.make')} action={add}>
      <TextField label={say('passkeys.name')} value={name} required maxLength={100} pattern='.*\S.*' />
    </FormCard>
  )
}

const Row = ({ of, onRemove }: { of: Passkey, onRemove: () => void }) => <tr>
  <td>{of.name}</td>
  <td class='small muted'>{of.rp_id}</td>
  <td class='nowrap'><Time at={of.created_at} /></td>
  <td class='nowrap'><Time at={of.last_used_at} /></td>
  <td><button
    type='button' class='small danger' aria-label={say('common.removeOne', { name: of.name })} onClick={onRemove}
  >{say('common.remove')}
  </button>
  </td>
</tr>

interface Props { userId?: string }

/** The passkeys of a person, to remove what is lost; nobody adds one for another. */
export const PasskeyList = ({ userId, onAdd }: Props & { onAdd?: (reload: () => void) => unknown }) => {
  const removing = useSignal<Passkey | undefined>(undefined)
  const passkeys = usePages<Passkey>([userId], (cursor, signal) =>
    body(api.GET('/account/passkeys', { params: { query: { limit: 50, cursor, user_id: userId } }, signal })))
  const remove = async (id: string) => {
    await body(api.DELETE('/account/passkeys/{passkey_id}', { params: { path: { passkey_id: id } } }))
    passkeys.reload()
  }
  return (
    <>
      {onAdd?.(passkeys.reload)}
      <section class='card flush' aria-label={say('settings.passkeys')}>
        <List
          of={passkeys} empty={<Empty icon={KeyRound} title={say('passkeys.none')}>
          <p>{say('passkeys.none.words')}</p>
          </Empty>}
        >{(items) => <Table columns={[
          say('passkeys.column'), say('passkeys.where'), say('passkeys.added'), say('token.used'),
          { unseen: say('common.remove') }
        ]}
        >
          {items.map((one) => <Row key={one.id} of={one} onRemove={() => { removing.value = one }} />)}
        </Table>}
        </List>
      </section>
      {removing.value && <ConfirmDialog
        title={say('passkeys.remove')} verb={say('common.remove')} onClose={() => { removing.value = undefined }}
        act={() => remove(removing.value?.id ?? '')}
      >{say('passkeys.remove.words', { name: removing.value.name })}
      </ConfirmDialog>}
    </>
  )
}

/** The reader's own. */
export const Passkeys = () => <div class='stack'>
  <PasskeyList onAdd={(reload) => <Add onChange={reload} />} />
</div>
