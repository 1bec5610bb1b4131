import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import type { Chosen } from './chosen'
import type { Conversation } from './conversation'

type Detail = Schemas['ChatSessionDetail']
type Effort = NonNullable<Chosen['effort']>
interface Props { label: string, chosen: Chosen, hint: string, save: (chosen: Chosen) => Promise<void> | void }

const usual = ''

const efforts: Record<Effort | typeof usual, string> = {
  [usual]: 'As configured', low: 'Low', medium: 'Medium', high: 'High', xhigh: 'Very high', max: 'The most'
}
const ways = {
  [usual]: 'As configured', adaptive: 'As the model finds right', disabled: 'Not at all', tokens: 'At most'
}

const optionsOf = (models: readonly Schemas['ChatModel'][], own: string | null): Record<string, string> => ({
  [usual]: 'As configured',
  ...(own !== null && { [own]: own }),
  ...Object.fromEntries(models.filter(({ is_priced: priced }) => priced).map(({ id, name }) => [id, name]))
})

const isBudget = (thinking: string | null) => thinking !== null && !(thinking in ways)

const ChoiceDialog = ({ chosen, hint, save, onClose }: Props & { onClose: () => void }) => {
  const models = useResource([], (signal) => body(api.GET('/api/v1/agent/models', { signal })))
  const model = useSignal<string>(chosen.model ?? usual)
  const effort = useSignal<keyof typeof efforts>(chosen.effort ?? usual)
  const way = useSignal<string>(isBudget(chosen.thinking) ? 'tokens' : chosen.thinking ?? usual)
  const tokens = useSignal(isBudget(chosen.thinking) ? chosen.thinking ?? '' : '4096')
  const act = async () => {
    const thinking = way.value === 'tokens' ? tokens.value : way.value
    await save({
      model: model.value || null,
      effort: effort.value === usual ? null : effort.value,
      thinking: thinking || null
    })
  }
  return (
    <FormDialog title='Model of the session' verb='Save' act={act} onClose={onClose}>
      <Choice label='Model' value={model} options={optionsOf(models.data?.items ?? [], chosen.model)} />
      <Choice label='Effort' value={effort} options={efforts} />
      <Choice label='Thinking' value={way} options={ways} />
      {way.value === 'tokens' && <TextField label='Tokens' value={tokens} inputMode='numeric' required />}
      <p class='small muted'>{hint}</p>
    </FormDialog>
  )
}

const ModelButton = (props: Props) => {
  const open = useSignal(false)
  return (
    <>
      <button
        type='button' class='quiet small model-choice' title='Model of the session'
        onClick={() => { open.value = true }}
      >
        {props.label}
      </button>
      {open.value && <ChoiceDialog {...props} onClose={() => { open.value = false }} />}
    </>
  )
}

/** The model that the session asks, and what it may be changed to. */
export const ModelChoice = ({ detail, onChange }: { detail: Detail, onChange: () => Promise<void> }) => {
  const save = async (chosen: Chosen) => {
    const params = { path: { session_id: detail.id } }
    await body(api.PATCH('/api/v1/agent/sessions/{session_id}', { params, body: { ...chosen } }))
    await onChange()
  }
  return (
<ModelButton
  label={detail.model} chosen={{ ...detail, model: detail.own_model }} save={save}
  hint='Holds from the next message on. The provider reads the conversation anew once.'
/>
  )
}

/** The same before the first message, with which it is sent. */
export const FirstModelChoice = ({ conversation: { chosen } }: { conversation: Conversation }) => <ModelButton
  label={chosen.value.model ?? 'Model as configured'} chosen={chosen.value}
  save={(next) => { chosen.value = next }} hint='Holds for this conversation, and can be changed later.'
/>
