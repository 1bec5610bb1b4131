import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action'
import { api, body, type Schemas } from '../../../api/client'
import { Choice, TextField } from '../../../parts/form'
import { FormCard, ShownOnce } from '../../../parts/form-card'
import { Notice } from '../../../parts/notice'
import { canSubscribe, subscribe } from './subscribe'
import { eventNames, kindLabels, type Channel, type Kind } from './words'
import { say, type Key } from '../../../texts/say'

type Added = Schemas['AddedChannel']

const addressFields: Record<Kind, { label: Key, type: string, placeholder: string } | undefined> = {
  webhook: { label: 'tools.address', type: 'url', placeholder: 'https://hooks.example.com/in' },
  email: { label: 'channel.email.address', type: 'email', placeholder: 'ada@example.com' },
  slack: undefined,
  push: undefined
}

export const SandboxLink = ({ of: { sandbox_url: url, kind } }: { of: Added['channel'] }) => url === null
  ? null
  : <a href={url} target='_blank' rel='noreferrer'>{say('channel.sandbox', { kind: say(kindLabels[kind]) })}</a>

/** What has to be done next, and what is shown this once. */
const Next = ({ added: { channel, secret, code } }: { added: Added }) => {
  if (channel.kind === 'email') return <Notice>{say('channel.code.mailed', { address: channel.address })}</Notice>
  if (secret !== null) {
    return <ShownOnce text={secret}>{say('channel.secret')}</ShownOnce>
  }
  return code === null
    ? null
    : <Notice>{say('channel.slack.say')} <SandboxLink of={channel} />
      <pre class='block' tabIndex={0}>/steward {code}</pre>
    </Notice>
}

const options = (kinds: readonly Kind[]): Partial<Record<Kind, string>> =>
  Object.fromEntries(kinds.map((kind) => [kind, say(kindLabels[kind])]))

interface Props { kinds: readonly Kind[], pushKey: string, channels: readonly Channel[], onChange: () => void }

export const AddChannel = ({ kinds: offered, pushKey, channels, onChange }: Props) => {
  const kinds = offered.filter((one) => one !== 'push' || canSubscribe())
  const kind = useSignal<Kind>(kinds.includes('slack') ? 'slack' : 'webhook')
  const [name, address] = [useSignal(''), useSignal('')]
  const added = useSignal<Added | undefined>(undefined)
  const field = addressFields[kind.value]
  const add = useAction(async () => {
    added.value = undefined
    const where = kind.value === 'push' ? await subscribe(pushKey) : { ...(field && { address: address.value }) }
    added.value = await body(api.POST('/account/channels', {
      body: { kind: kind.value, name: name.value, ...where, events: eventNames }
    }))
    name.value = address.value = ''
    onChange()
  })
  // What is said once, such as a code, is of no use when the channel is linked, or gone.
  const now = channels.find(({ id }) => id === added.value?.channel.id)
  const isDone = added.value?.channel.confirmed === false && now?.confirmed !== false
  const missing = !offered.includes('email') || !offered.includes('slack')
  return (
    <>
      <FormCard title={say('channel.add')} verb={say('common.add')} action={add}>
        <Choice label={say('common.kind')} value={kind} options={options(kinds) as Record<Kind, string>} />
        <TextField
          label={say('common.name')} value={name} required maxLength={100} placeholder={say('channel.example')}
        />
        {field && <TextField {...field} label={say(field.label)} value={address} required />}
      </FormCard>
      {missing && <p class='small muted'>{say('channel.missing')}</p>}
      {added.value && !isDone && <Next added={added.value} />}
    </>
  )
}
