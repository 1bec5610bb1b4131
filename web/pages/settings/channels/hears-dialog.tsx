import { useSignal, type Signal } from '@preact/signals'
import { api, body } from '../../../api/client'
import { TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { eventLabels, eventNames, localZone, type Channel, type Event } from './words'
import { say } from '../../../texts/say'

const Check = ({ label, checked, onChange }: { label: string, checked: boolean, onChange: (on: boolean) => void }) =>
  <label class='check'>
    <input type='checkbox' checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    <span>{label}</span>
  </label>

const Events = ({ chosen }: { chosen: Signal<Event[]> }) => <fieldset class='stack tight'>
  <legend>{say('channel.iHear')}</legend>
  {eventNames.map((event) => <Check
    key={event} label={say(eventLabels[event])} checked={chosen.value.includes(event)}
    onChange={(on) => {
      const others = chosen.value.filter((one) => one !== event)
      chosen.value = on ? [...others, event] : others
    }}
  />)}
</fieldset>

const Times = ({ isOn, label, fields }: {
  isOn: Signal<boolean>, label: string, fields: [label: string, value: Signal<string>][]
}) => <fieldset class='stack tight'>
  <Check label={label} checked={isOn.value} onChange={(on) => { isOn.value = on }} />
  {isOn.value && <div class='fields'>
    {fields.map(([name, value]) => <TextField key={name} label={name} value={value} type='time' required />)}
  </div>}
</fieldset>

interface Props { channel: Channel, onChange: () => void, onClose: () => void }

/** What a channel hears of, and when it is left in peace. */
export const HearsDialog = ({ channel, onChange, onClose }: Props) => {
  const { quiet, digest } = channel
  const events = useSignal(channel.events)
  const [isQuiet, from, until] = [useSignal(quiet !== null), useSignal(quiet?.from ?? '22:00'),
    useSignal(quiet?.until ?? '07:00')]
  const [hasDigest, at] = [useSignal(digest !== null), useSignal(digest?.at ?? '08:00')]
  const zone = useSignal(quiet?.time_zone ?? digest?.time_zone ?? localZone())
  const save = async () => {
    const time_zone = zone.value
    await body(api.PATCH('/account/channels/{channel_id}', {
      params: { path: { channel_id: channel.id } },
      body: {
        events: events.value,
        quiet: isQuiet.value ? { from: from.value, until: until.value, time_zone } : null,
        digest: hasDigest.value ? { at: at.value, time_zone } : null
      }
    }))
    onChange()
  }
  return (
    <FormDialog
      title={say('channel.whatHears', { name: channel.name })} verb={say('common.save')} act={save} onClose={onClose}
    >
      <Events chosen={events} />
      <Times
        isOn={isQuiet} label={say('channel.quietHours')}
        fields={[[say('channel.from'), from], [say('channel.until'), until]]}
      />
      <Times isOn={hasDigest} label={say('channel.daily')} fields={[[say('channel.at'), at]]} />
      {(isQuiet.value || hasDigest.value) && <TextField label={say('channel.zone')} value={zone} required />}
    </FormDialog>
  )
}
