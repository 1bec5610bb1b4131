import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { Problem } from '../../api/problem'
import { FormDialog } from '../../parts/form-dialog'
import { Notice } from '../../parts/notice'
import { TriggerFields } from '../triggers/fields'
import { changesOf, fieldsOf, labels, pointersOf, valuesOf, type Field, type Values } from '../triggers/values'
import { say, sayWith } from '../../texts/say'

type Trigger = Schemas['Trigger']
interface Props { trigger: Trigger, onChange: () => void, onClose: () => void }

const fixed: readonly Field[] = ['source', 'app_id', 'secret']

interface ElsewhereProps { before: Values, now: Values, fields: readonly Field[] }

/** What somebody else has saved since the dialog was opened. */
const Elsewhere = ({ before, now, fields }: ElsewhereProps) => <Notice tone='warn'>
  {say('trigger.elsewhere')}
  <ul>{fields.filter((name) => before[name] !== now[name]).map((name) => <li key={name}>
    {sayWith('trigger.isNow', { name: say(labels[name]), value: <code>{String(now[name])}</code> })}
  </li>)}
  </ul>
</Notice>

/** Changes what may change: kind, source and app stay. */
export const EditTrigger = ({ trigger, onChange, onClose }: Props) => {
  const opened = useSignal(trigger).value
  const now = useSignal(opened)
  const values = useSignal(valuesOf(opened))
  const fields = fieldsOf(trigger.kind, values.value.source).filter((name) => !fixed.includes(name))
  const params = { path: { trigger_id: trigger.id } }
  const act = async () => {
    const changes = changesOf(valuesOf(now.value), values.value, fields)
    if (Object.keys(changes).length === 0) return
    const header = { 'If-Match': `"r${now.value.revision}"` }
    try {
      await body(api.PATCH('/api/v1/agent/triggers/{trigger_id}', { params: { ...params, header }, body: changes }))
    } catch (error) {
      if (error instanceof Problem && error.code === 'stale_revision') {
        now.value = await body(api.GET('/api/v1/agent/triggers/{trigger_id}', { params }))
        // What was not changed here shows what was saved there.
        values.value = { ...valuesOf(now.value), ...changes }
      }
      throw error
    } finally {
      onChange()
    }
  }
  return (
    <FormDialog
      title={say('common.editOne', { name: trigger.name })} verb={say('common.save')} act={act} onClose={onClose}
      shows={pointersOf(fields)}
    >
      <TriggerFields of={values} fields={fields} />
      {now.value !== opened && <Elsewhere before={valuesOf(opened)} now={valuesOf(now.value)} fields={fields} />}
      <p class='small muted'>{say('trigger.rightsSaved')}</p>
    </FormDialog>
  )
}
