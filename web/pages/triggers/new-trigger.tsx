import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { Choice } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { TriggerFields } from './fields'
import { fieldsOf, givenOf, newValues, pointersOf } from './values'
import { kinds, type Kind } from './words'
import { say, sayEach } from '../../texts/say'

interface Props { onMade: (made: Schemas['NewTrigger']) => void, onClose: () => void }

/** Makes a schedule or a trigger. */
export const NewTrigger = ({ onMade, onClose }: Props) => {
  const kind = useSignal<Kind>('schedule')
  const values = useSignal(newValues())
  const fields = fieldsOf(kind.value, values.value.source)
  const act = async () => {
    const { name, question } = values.value
    onMade(await body(api.POST('/api/v1/agent/triggers', {
      body: { ...givenOf(values.value, fields), kind: kind.value, name: name.trim(), question: question.trim() }
    })))
  }
  return (
    <FormDialog
      title={say('trigger.new')} verb={say('common.create')} act={act} onClose={onClose} shows={pointersOf(fields)}
    >
      <Choice label={say('trigger.beginsBy')} value={kind} options={sayEach(kinds)} />
      <TriggerFields of={values} fields={fields} optionalCron={kind.value === 'cost_anomaly'} />
      <p class='small muted'>{say('trigger.rights')}
      </p>
    </FormDialog>
  )
}
