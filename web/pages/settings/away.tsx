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
import { say } from '../../texts/say'

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
    <FormCard title={say('away.title')} verb={say('away.give')} action={give}>
      <PersonChoice label={say('away.whom')} value={to} without={me.value ? [me.value.user.id] : []} />
      <TextField
        label={say('away.until')} type='datetime-local' value={until} required
        max={localTime(Date.now() + 30 * day)}
      />
    </FormCard>
  )
}

const State = ({ of: { revoked_at: ended, until } }: { of: Delegation }) => {
  if (ended) return <Badge>{say('away.ended')}</Badge>
  return Date.parse(until) > Date.now()
    ? <Badge
        tone='good'
    >{say('away.holds')}
    </Badge>
    : <Badge>{say('away.over')}</Badge>
}

const whoFor = ({ from, to }: Delegation, myId: string | undefined): string => {
  if (to.id === myId) return say('away.byMe', { name: from.name })
  return from.id === myId ? say('away.forMe', { name: to.name }) : say('away.for', { to: to.name, from: from.name })
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
      <td>{whoFor(of, myId)}</td>
      <td><State of={of} /></td>
      <td><Time at={of.until} /></td>
      <td>{mayEnd && <ActionButton
        variant='small danger' label={say('away.endOne', { to: of.to.name, from: of.from.name })} act={end}
      >{say('common.end')}
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
      <section class='card flush' aria-label={say('away.list')}>
        <List
          of={given} empty={<Empty icon={AlarmClock} title={say('away.none')}>
          <p>{say('away.none.words')}</p>
          </Empty>}
        >{(items) => <Table columns={[
          say('common.who'), say('common.state'), say('away.untilColumn'), { unseen: say('common.end') }
        ]}
        >
          {items.map((one) => <Row key={one.id} of={one} onChange={given.reload} />)}
        </Table>}
        </List>
      </section>
    </div>
  )
}
