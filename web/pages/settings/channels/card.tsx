import { useSignal } from '@preact/signals'
import { api, body } from '../../../api/client'
import { useAction } from '../../../api/action'
import { ActionButton } from '../../../parts/action-button'
import { Badge } from '../../../parts/badge'
import { Form, TextField } from '../../../parts/form'
import { Notice, ProblemNotice } from '../../../parts/notice'
import { Time } from '../../../parts/time'
import { SandboxLink } from './add'
import { DeadLetters } from './dead-letters'
import { HearsDialog } from './hears-dialog'
import { describeOff, eventLabels, kindLabels, type Channel } from './words'
import { say, sayWith } from '../../../texts/say'

interface Props { channel: Channel, onChange: () => void, onRemove: () => void }

const Confirm = ({ channel, onChange }: Omit<Props, 'onRemove'>) => {
  const code = useSignal('')
  const { run, busy, problem } = useAction(async () => {
    const params = { path: { channel_id: channel.id } }
    await body(api.POST('/account/channels/{channel_id}/confirm', { params, body: { code: code.value } }))
    onChange()
  })
  return (
    <Form class='fields' label={say('channel.confirmOne', { name: channel.name })} onSubmit={() => { void run() }}>
      <TextField label={say('channel.code')} value={code} required autoComplete='one-time-code' />
      <button class='primary' disabled={busy}>{say('channel.confirm')}</button>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  )
}

const Actions = ({ channel, onChange, onRemove, onEdit }: Props & { onEdit: () => void }) => {
  const { id, name, enabled, confirmed } = channel
  const params = { path: { channel_id: id } }
  const outcome = useSignal('')
  const test = async () => {
    outcome.value = ''
    const { delivered, error } = await body(api.POST('/account/channels/{channel_id}/test', { params }))
    outcome.value = delivered ? say('channel.delivered') : say('channel.undelivered', { error: error ?? '' })
    onChange()
  }
  const turn = async () => {
    await body(api.PATCH('/account/channels/{channel_id}', { params, body: { enabled: !enabled } }))
    onChange()
  }
  return (
      <div class='row tight'>
        {confirmed && <ActionButton variant='small' label={say('channel.testOne', { name })} act={test}>
          {say('channel.test')}
        </ActionButton>}
        <button type='button' class='small' aria-label={say('channel.hearsOne', { name })} onClick={onEdit}>
          {say('channel.hears')}
        </button>
        <ActionButton
          variant='small' act={turn} label={say(enabled ? 'common.turnOffOne' : 'common.turnOnOne', { name })}
        >
          {enabled ? say('common.turnOff') : say('common.turnOn')}
        </ActionButton>
        <button
          type='button' class='small danger' aria-label={say('common.removeOne', { name })} onClick={onRemove}
        >{say('common.remove')}
        </button>
        <span class='small' role='status'>{outcome.value}</span>
      </div>
  )
}

const State = ({ channel: { enabled, confirmed, failing_since: failing } }: { channel: Channel }) => {
  if (!confirmed) return <Badge tone='warn'>{say('channel.toConfirm')}</Badge>
  if (!enabled) return <Badge>{say('common.off')}</Badge>
  return failing === null
    ? <Badge
        tone='good'
    >{say('common.on')}
    </Badge>
    : <Badge tone='bad'>{say('channel.failing')}</Badge>
}

const Rules = ({ channel: { events, quiet, digest } }: { channel: Channel }) => <p class='small'>
  {events.length === 0 && say('channel.hearsNothing')}
  {events.length > 0 && say('channel.hearsWhen', { events: events.map((one) => say(eventLabels[one])).join('; ') })}
  {quiet && say('channel.quiet', { from: quiet.from, until: quiet.until, zone: quiet.time_zone })}
  {digest && say('channel.digest', { at: digest.at, zone: digest.time_zone })}
</p>

/** One channel: what it hears, how it does, and what was not delivered. */
export const ChannelCard = ({ channel, onChange, onRemove }: Props) => {
  const isEdited = useSignal(false)
  const { name, kind, address, confirmed, last_error: error, last_sent_at: sent, off_reason: off } = channel
  return (
    <section class='card stack' aria-label={say('channel.title', { name })}>
      <h2>{name} <Badge>{say(kindLabels[kind])}</Badge> <State channel={channel} /></h2>
      <p class='small muted'>{address !== '' && <span class='mono'>{address}</span>}
        {sent !== null && <> · {sayWith('channel.lastSent', { when: <Time at={sent} /> })}</>}{' '}
        <SandboxLink of={channel} />
      </p>
      <Rules channel={channel} />
      {kind === 'email' && !confirmed && <Confirm channel={channel} onChange={onChange} />}
      {kind === 'slack' && !confirmed && <p class='small'>{say('channel.notLinked')}
      </p>}
      {off !== null && <Notice tone='warn'>{say('channel.turnedOff', { reason: describeOff(off) })}</Notice>}
      {error !== null && <Notice tone='bad'>{error}</Notice>}
      <Actions
        channel={channel} onChange={onChange} onRemove={onRemove} onEdit={() => { isEdited.value = true }}
      />
      <DeadLetters channel={channel} />
      {isEdited.value &&
        <HearsDialog channel={channel} onChange={onChange} onClose={() => { isEdited.value = false }} />}
    </section>
  )
}
