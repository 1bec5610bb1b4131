import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Preview } from '../../approvals/preview'
import { Dialog } from '../../parts/dialog'
import { Notice, ProblemNotice } from '../../parts/notice'

type Plan = Schemas['ServiceDeploymentPlan']
interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

const show = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** Of an ARN or an image the last part tells what it is. */
const shorten = (text: string | null): string | null => text?.split('/').at(-1) ?? null

const rowsOf = (plan: Plan) => [
  {
    label: 'Task definition',
    before: plan.previous_task_definition,
    after: plan.target_task_definition ?? 'a new revision'
  },
  ...plan.changes.map(({ path, before, after }) => ({ label: path, before: show(before), after: show(after) }))
].map(({ label, before, after }) => ({ label, before: shorten(before), after: shorten(after) }))

const deploy = (service: string, request: Schemas['DeployService']) =>
  body(api.POST('/infrastructure/containers/services/{service}/deploy',
    { params: { path: { service } }, body: request }))

/** Names an image, sees what the deployment would change, and starts exactly that. */
export const DeployDialog = ({ service, onClose, onChange }: Props) => {
  const image = useSignal(service.images?.[0]?.image ?? '')
  const plan = useSignal<Plan | undefined>(undefined)
  const request = (): Schemas['DeployService'] => {
    const same = service.images?.some((one) => one.image === image.value)
    return same ? { force_new_deployment: true } : { image: image.value }
  }
  const look = useAction(async () => {
    const answer = await deploy(service.id, { ...request(), dry_run: true })
    if ('warnings' in answer) plan.value = answer
  })
  const start = useAction(() => deploy(service.id,
    { ...request(), expected_task_definition: plan.value?.previous_task_definition }))
  const go = async () => {
    if (!await start.run()) return
    onChange()
    onClose()
  }
  return (
    <Dialog title={`Deploy ${service.name}`} onClose={onClose}>
      <form
        class='stack' onSubmit={(event) => {
          event.preventDefault()
          void look.run()
        }}
      >
        <label class='field'><span>Image</span>
          <input
            class='mono' required value={image.value} onInput={(event) => {
              image.value = event.currentTarget.value.trim()
              plan.value = undefined
            }}
          />
        </label>
        {plan.value && <Preview rows={rowsOf(plan.value)} />}
        {plan.value?.warnings.map((warning) => <Notice key={warning} tone='warn'>{warning}</Notice>)}
        {look.problem && <ProblemNotice problem={look.problem} />}
        {start.problem && <ProblemNotice problem={start.problem} />}
        <div class='actions'>
          <button type='button' onClick={onClose}>Cancel</button>
          {plan.value
            ? <button type='button' class='primary' disabled={start.busy} onClick={() => { void go() }}>Deploy this
            </button>
            : <button class='primary' disabled={look.busy}>Show what changes</button>}
        </div>
      </form>
    </Dialog>
  )
}
