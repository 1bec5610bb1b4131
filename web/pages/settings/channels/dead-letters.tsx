import { Link } from 'wouter-preact'
import { api, body } from '../../../api/client'
import { usePages } from '../../../api/pages'
import type { Schemas } from '../../../api/client'
import { ActionButton } from '../../../parts/action-button'
import { MoreButton } from '../../../parts/list'
import { Table } from '../../../parts/table'
import { Time } from '../../../parts/time'
import { kindLabels, messageLabels, type Channel } from './words'
import { say } from '../../../texts/say'

type Delivery = Schemas['ChannelDelivery']

const everyMs = 30_000

interface RowProps { of: Delivery, to: string, whose?: string, resend: () => Promise<unknown>, onChange: () => void }

interface WhatProps { of: Delivery, isMine: boolean }

/** What a person was asked leads to the question; another's may not be seen. */
const What = ({ of: { event, subject_id: id }, isMine }: WhatProps) => event === 'asked' && isMine
  ? <Link href={`/inbox/${id}`}>{say(messageLabels[event])}</Link>
  : <>{say(messageLabels[event])}</>

const Row = ({ of, to, whose, resend, onChange }: RowProps) => {
  const { event, attempts, last_error: error, created_at: at } = of
  const act = async () => {
    await resend()
    onChange()
  }
  return (
    <tr>
      <td><What of={of} isMine={whose === undefined} /></td>
      {whose !== undefined && <td>{whose}</td>}
      <td class='nowrap'><Time at={at} /></td>
      <td>{error} <span class='muted'>{say('channel.attempts', { count: attempts })}</span></td>
      <td><ActionButton
        variant='small' label={say('channel.againOne', { event: say(messageLabels[event]), to })} act={act}
      >
        {say('channel.again')}
      </ActionButton>
      </td>
    </tr>
  )
}

/** What was given up; nothing where nothing was. */
export const DeadLetters = ({ channel }: { channel: Channel }) => {
  const dead = usePages<Delivery>([channel.id], (cursor, signal) =>
    body(api.GET('/account/channels/{channel_id}/deliveries', {
      params: { path: { channel_id: channel.id }, query: { state: 'dead', limit: 20, cursor } }, signal
    })), { every: everyMs })
  if (dead.items.length === 0) return null
  return (
    <section aria-label={say('channel.notDeliveredTo', { name: channel.name })}>
      <h3>{say('channel.notDelivered')}</h3>
      <Table columns={[say('common.what'), say('common.when'), say('channel.why'), { unseen: say('channel.again') }]}>
        {dead.items.map((one) => <Row
          key={one.id} of={one} to={channel.name} onChange={dead.reload}
          resend={() => body(api.POST('/account/channels/{channel_id}/deliveries/{delivery_id}/resend', {
            params: { path: { channel_id: channel.id, delivery_id: one.id } }
          }))}
        />)}
      </Table>
      {dead.more && <MoreButton more={dead.more} />}
    </section>
  )
}

/** What was given up of everybody's channels, for admins. */
export const AllDeadLetters = () => {
  const dead = usePages<Schemas['WorkspaceDelivery']>([], (cursor, signal) =>
    body(api.GET('/account/deliveries', { params: { query: { limit: 20, cursor } }, signal })), { every: everyMs })
  if (dead.items.length === 0) return null
  return (
    <section class='card stack' aria-label={say('channel.notDeliveredAll')}>
      <h2>{say('channel.notDeliveredAll')}</h2>
      <Table columns={[
        say('common.what'), say('channel.to'), say('common.when'), say('channel.why'),
        { unseen: say('channel.again') }
      ]}
      >
        {dead.items.map((one) => <Row
          key={one.id} of={one} to={one.person.name} onChange={dead.reload}
          whose={`${one.person.name}, ${say(kindLabels[one.channel.kind])}`}
          resend={() => body(api.POST('/account/deliveries/{delivery_id}/resend',
            { params: { path: { delivery_id: one.id } } }))}
        />)}
      </Table>
      {dead.more && <MoreButton more={dead.more} />}
    </section>
  )
}
