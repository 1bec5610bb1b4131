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
import { eventLabels, kindLabels, type Channel } from './words'

interface Props { channel: Channel, onChange: () => void, onRemove: () => void }

const Confirm = ({ channel, onChange }: Omit<Props, 'onRemove'>) => {
  const code = useSignal('')
  const { run, busy, problem } = useAction(async () => {
    const params = { path: { channel_id: channel.id } }
    await body(api.POST('/account/channels/{channel_id}/confirm', { params, body: { code: code.value } }))
    onChange()
  })
  return (
    <Form class='fields' label={`Confirm ${channel.name}`} onSubmit={() => { void run() }}>
      <TextField label='Code from the mail' value={code} required autoComplete='one-time-code' />
      <button class='primary' disabled={busy}>Confirm</button>
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
    outcome.value = delivered ? 'The test was delivered.' : `The test was not delivered: ${error ?? ''}`
    onChange()
  }
  const turn = async () => {
    await body(api.PATCH('/account/channels/{channel_id}', { params, body: { enabled: !enabled } }))
    onChange()
  }
  return (
      <div class='row tight'>
        {confirmed && <ActionButton variant='small' label={`Send a test to ${name}`} act={test}>
          Send a test
        </ActionButton>}
        <button type='button' class='small' aria-label={`What it hears: ${name}`} onClick={onEdit}>
          What it hears
        </button>
        <ActionButton variant='small' label={`${enabled ? 'Turn off' : 'Turn on'} ${name}`} act={turn}>
          {enabled ? 'Turn off' : 'Turn on'}
        </ActionButton>
        <button type='button' class='small danger' aria-label={`Remove ${name}`} onClick={onRemove}>Remove</button>
        <span class='small' role='status'>{outcome.value}</span>
      </div>
  )
}

const State = ({ channel: { enabled, confirmed, failing_since: failing } }: { channel: Channel }) => {
  if (!confirmed) return <Badge tone='warn'>to confirm</Badge>
  if (!enabled) return <Badge>off</Badge>
  return failing === null ? <Badge tone='good'>on</Badge> : <Badge tone='bad'>failing</Badge>
}

const Rules = ({ channel: { events, quiet, digest } }: { channel: Channel }) => <p class='small'>
  {events.length === 0 && 'Hears of nothing by itself'}
  {events.length > 0 && `Hears when ${events.map((one) => eventLabels[one]).join('; ')}`}
  {quiet && ` · quiet from ${quiet.from} to ${quiet.until}, ${quiet.time_zone}`}
  {digest && ` · a digest at ${digest.at}, ${digest.time_zone}`}
</p>

/** One channel: what it hears, how it does, and what was not delivered. */
export const ChannelCard = ({ channel, onChange, onRemove }: Props) => {
  const isEdited = useSignal(false)
  const { name, kind, address, confirmed, last_error: error, last_sent_at: sent, off_reason: off } = channel
  return (
    <section class='card stack' aria-label={`Channel ${name}`}>
      <h2>{name} <Badge>{kindLabels[kind]}</Badge> <State channel={channel} /></h2>
      <p class='small muted'>{address !== '' && <span class='mono'>{address}</span>}
        {sent !== null && <> · last sent <Time at={sent} /></>} <SandboxLink of={channel} />
      </p>
      <Rules channel={channel} />
      {kind === 'email' && !confirmed && <Confirm channel={channel} onChange={onChange} />}
      {kind === 'slack' && !confirmed && <p class='small'>Not linked yet: say the code in Slack. If it is lost, remove
        this channel and add it again.
      </p>}
      {off !== null && <Notice tone='warn'>It was turned off: {off.replaceAll('_', ' ')}</Notice>}
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
