import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { Copied } from '../../parts/copied'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { labels } from '../triggers/values'
import { say } from '../../texts/say'

type Trigger = Schemas['Trigger']
interface Props { trigger: Trigger, onChange: () => void, onClose: () => void }

/** @returns a secret of the form that Steward itself makes for the source */
const makeSecret = ({ source }: Trigger): string => {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
  return source === 'generic' ? `whsec_${text}` : text.replaceAll('+', '-').replaceAll('/', '_')
}

/** Sets another secret: one that this page makes, or the one that PagerDuty shows. */
export const NewSecret = ({ trigger, onChange, onClose }: Props) => {
  const isGiven = trigger.source === 'pagerduty'
  const secret = useSignal(isGiven ? '' : makeSecret(trigger))
  const act = async () => {
    const params = { path: { trigger_id: trigger.id }, header: { 'If-Match': `"r${trigger.revision}"` } }
    try {
      await body(api.PATCH('/api/v1/agent/triggers/{trigger_id}', { params, body: { secret: secret.value.trim() } }))
    } finally {
      onChange()
    }
  }
  return (
    <FormDialog
      title={say('trigger.newSecret')} verb={say('trigger.set')} act={act} onClose={onClose} shows={['/secret']}
    >
      {isGiven
        ? <TextField
            label={say(labels.secret)} type='password' autoComplete='off' value={secret} pointer='/secret'
            required
        />
        : <Copied label={say('trigger.newSecret')} text={secret.value} />}
      <p>{say('trigger.oldSecret')}{!isGiven && ` ${say('trigger.copyNew')}`}</p>
      <p class='small muted'>{say('trigger.rightsSet')}</p>
    </FormDialog>
  )
}
