import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Preview } from '../../approvals/preview'
import { Dialog } from '../../parts/dialog'
import { ProblemNotice } from '../../parts/notice'

interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

const choices = {
  refuse: 'Refuse if it would work against autoscaling',
  suspend: 'Suspend autoscaling',
  adjust: 'Move the bounds of autoscaling',
  ignore: 'Scale, and leave autoscaling as it is'
} as const
type Choice = keyof typeof choices

const isChoice = (text: string): text is Choice => text in choices

export const ScaleDialog = ({ service, onClose, onChange }: Props) => {
  const count = useSignal(service.desired_count)
  const autoscaling = useSignal<Choice>('refuse')
  const { run, busy, problem } = useAction(() => body(api.POST('/infrastructure/containers/services/{service}/scale', {
    params: { path: { service: service.id } },
    body: { desired_count: count.value, ...(service.autoscaling ? { autoscaling: autoscaling.value } : {}) }
  })))
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!await run()) return
    onChange()
    onClose()
  }
  const rows = [{ label: 'Desired count', before: String(service.desired_count), after: String(count.value) }]
  return (
    <Dialog title={`Scale ${service.name}`} onClose={onClose}>
      <form class='stack' onSubmit={(event) => { void submit(event) }}>
        <label class='field'><span>Desired count</span>
          <input
            type='number' min={0} max={1000} required value={count.value}
            onInput={(event) => { count.value = event.currentTarget.valueAsNumber || 0 }}
          />
        </label>
        {service.autoscaling && <label class='field'>
          <span>Autoscaling keeps it between {service.autoscaling.min} and {service.autoscaling.max}</span>
          <select
            value={autoscaling.value} onChange={({ currentTarget: { value } }) => {
              if (isChoice(value)) autoscaling.value = value
            }}
          >{Object.entries(choices).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
          </select>
        </label>}
        <Preview rows={rows} />
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'>
          <button type='button' onClick={onClose}>Cancel</button>
          <button class='primary' disabled={busy || count.value === service.desired_count}>Scale</button>
        </div>
      </form>
    </Dialog>
  )
}
