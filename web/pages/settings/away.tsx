import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { usePages } from '../../api/pages'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { AlarmClock } from '../../parts/icons'
import { List } from '../../parts/list'
import { PersonChoice } from '../../parts/person-choice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { me } from '../../shell/session'

type Delegation = Schemas['Delegation']

/** @returns a time as the field of a form has it, in the reader's zone */
const localTime = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const day = 86_400_000

const Give = ({ onChange }: { onChange: () => void }) => {
  const to = useSignal('')
  const until = useSignal(localTime(Date.now() + 7 * day))
  const give = useAction(async () => {
    const end = new Date(until.value).toISOString()
    await body(api.POST('/account/delegations', { body: { to: to.value, until: end } }))
    to.value = ''
    onChange()
  })
  return (
    <FormCard title='While I am away' verb='Let them approve for me' action={give}>
      <PersonChoice
        label='Who approves for me' value={to} none='Choose …' without={me.value ? [me.value.user.id] : []}
      />
      <TextField
        label='Until, 30 days at most' type='datetime-local' value={until} required
        max={localTime(Date.now() + 30 * day)}
      />
    </FormCard>
  )
}

const State = ({ of: { revoked_at: ended, until } }: { of: Delegation }) => {
  if (ended) return <Badge>ended</Badge>
  return Date.parse(until) > Date.now() ? <Badge tone='good'>holds</Badge> : <Badge>over</Badge>
}

const Row = ({ of, onChange }: { of: Delegation, onChange: () => void }) => {
  const end = async () => {
    await body(api.DELETE('/account/delegations/{delegation_id}', { params: { path: { delegation_id: of.id } } }))
    onChange()
  }
  const myId = me.value?.user.id
  const isLive = !of.revoked_at && Date.parse(of.until) > Date.now()
  const mayEnd = isLive && (of.from.id === myId || me.value?.role === 'admin')
  return (
    <tr>
      <td>{of.to.id === myId ? 'I' : of.to.name} for {of.from.id === myId ? 'me' : of.from.name}</td>
      <td><State of={of} /></td>
      <td><Time at={of.until} /></td>
      <td>{mayEnd && <ActionButton
        variant='small danger' label={`End: ${of.to.name} for ${of.from.name}`} act={end}
      >End
      </ActionButton>}
      </td>
    </tr>
  )
}

/** Who approves for me, and for whom I approve. */
export const Away = () => {
  const given = usePages<Delegation>([], (cursor, signal) =>
    body(api.GET('/account/delegations', { params: { query: { limit: 30, cursor } }, signal })))
  return (
    <div class='stack'>
      <Give onChange={given.reload} />
      <section class='card flush' aria-label='Who approves for whom'>
        <List
          of={given} empty={<Empty icon={AlarmClock} title='Nobody approves for you'>
          <p>Choose a person above: until then their approval counts as yours, as one of your groups.</p>
          </Empty>}
        >{(items) => <Table columns={['Who', 'State', 'Until', { unseen: 'End' }]}>
          {items.map((one) => <Row key={one.id} of={one} onChange={given.reload} />)}
        </Table>}
        </List>
      </section>
    </div>
  )
}
