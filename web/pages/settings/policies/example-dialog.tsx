import { useSignal } from '@preact/signals'
import type { Schemas } from '../../../api/client'
import { field } from '../../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { toExample, toFields } from './example-fields'
import { say, sayEach } from '../../../texts/say'

type Example = Schemas['PolicyExample']

export const risks = { low: 'policy.risk.low', medium: 'policy.risk.medium', high: 'policy.risk.high' } as const
export const outcomes = {
  forbid: 'policy.outcome.forbid', ask: 'policy.outcome.ask', run: 'policy.outcome.run'
} as const

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
    <FormDialog title={say('policy.example')} verb={say('policy.keep')} act={save} onClose={onClose}>
      <TextField
        label={say('common.name')} value={of('name')} required maxLength={200}
        placeholder={say('policy.example.hint')}
      />
      <TextField label={say('common.tool')} value={of('tool')} required maxLength={128} placeholder='scaleService' />
      <AreaField
        label={say('policy.arguments')} value={of('args')} rows={2} class='mono'
        placeholder={'service = web\ndesired_count = 3'}
      />
      <div class='fields'>
        <TextField label={say('policy.targetKind')} value={of('kind')} maxLength={200} placeholder='ecs_service' />
        <TextField label={say('policy.targetId')} value={of('id')} maxLength={200} placeholder='web' />
      </div>
      <AreaField
        label={say('policy.within')} value={of('within')} rows={2} class='mono'
        placeholder='environment = staging'
      />
      <div class='fields'>
        <TextField label={say('policy.role')} value={of('role')} maxLength={40} placeholder='member' />
        <TextField label={say('policy.groups')} value={of('groups')} placeholder={say('policy.groups.hint')} />
        <Choice label={say('policy.risk')} value={of('risk')} options={sayEach(risks)} />
      </div>
      <label class='check'>
        <input
          type='checkbox' checked={fields.value.tainted}
          onChange={({ currentTarget }) => { of('tainted').value = currentTarget.checked }}
        />{say('policy.tainted')}
      </label>
      <div class='fields'>
        <Choice label={say('policy.then')} value={of('outcome')} options={sayEach(outcomes)} />
        {fields.value.outcome === 'ask' &&
          <NumberField label={say('policy.approvers')} value={of('approvals')} min={1} max={10} />}
      </div>
    </FormDialog>
  )
}
