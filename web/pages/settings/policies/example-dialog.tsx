import { useSignal } from '@preact/signals'
import type { Schemas } from '../../../api/client'
import { field } from '../../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { toExample, toFields } from './example-fields'

type Example = Schemas['PolicyExample']

const risks = { low: 'low', medium: 'medium', high: 'high' } as const
export const outcomes = { forbid: 'is forbidden', ask: 'is asked', run: 'runs without asking' } as const

interface Props { example: Example, onSave: (example: Example) => void, onClose: () => void }

/** A test of the policies: a write, and what they must say of it. */
export const ExampleDialog = ({ example, onSave, onClose }: Props) => {
  const fields = useSignal(toFields(example))
  const of = <K extends keyof typeof fields.value>(name: K) => field(fields, name)
  const save = () => {
    onSave(toExample(example, fields.value))
    return Promise.resolve()
  }
  return (
    <FormDialog title='Example' verb='Keep' act={save} onClose={onClose}>
      <TextField label='Name' value={of('name')} required maxLength={200} placeholder='Staging scales by itself' />
      <TextField label='Tool' value={of('tool')} required maxLength={128} placeholder='scaleService' />
      <AreaField
        label='Arguments, one in each line' value={of('args')} rows={2} class='mono'
        placeholder={'service = web\ndesired_count = 3'}
      />
      <div class='fields'>
        <TextField label='Target: kind' value={of('kind')} maxLength={200} placeholder='ecs_service' />
        <TextField label='Target: id' value={of('id')} maxLength={200} placeholder='web' />
      </div>
      <AreaField
        label='What holds the target, one in each line' value={of('within')} rows={2} class='mono'
        placeholder='environment = staging'
      />
      <div class='fields'>
        <TextField label='Role of the person' value={of('role')} maxLength={40} placeholder='member' />
        <TextField label='Groups of the person' value={of('groups')} placeholder='On call, Leads' />
        <Choice label='Risk' value={of('risk')} options={risks} />
      </div>
      <label class='check'>
        <input
          type='checkbox' checked={fields.value.tainted}
          onChange={({ currentTarget }) => { of('tainted').value = currentTarget.checked }}
        />The conversation has read foreign text
      </label>
      <div class='fields'>
        <Choice label='Then it' value={of('outcome')} options={outcomes} />
        {fields.value.outcome === 'ask' &&
          <NumberField label='People who approve' value={of('approvals')} min={1} max={10} />}
      </div>
    </FormDialog>
  )
}
