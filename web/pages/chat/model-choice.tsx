import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import type { Chosen } from './chosen'
import type { Conversation } from './conversation'
import { answering } from '../../shell/session'
import { say, sayEach, type Key } from '../../texts/say'

type Detail = Schemas['ChatSessionDetail']
type Effort = NonNullable<Chosen['effort']>
interface Props { label: string, chosen: Chosen, hint: string, save: (chosen: Chosen) => Promise<void> | void }

const usual = ''

const efforts: Record<Effort | typeof usual, Key> = {
  [usual]: 'chat.model.usual',
  low: 'chat.effort.low',
  medium: 'chat.effort.medium',
  high: 'chat.effort.high',
  xhigh: 'chat.effort.xhigh',
  max: 'chat.effort.max'
}
const ways = {
  [usual]: 'chat.model.usual',
  adaptive: 'chat.thinking.adaptive',
  disabled: 'chat.thinking.disabled',
  tokens: 'chat.thinking.tokens'
} as const

const optionsOf = (models: readonly Schemas['ChatModel'][], own: string | null): Record<string, string> => ({
  [usual]: say('chat.model.usual'),
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
    <FormDialog title={say('chat.model.title')} verb={say('chat.save')} act={act} onClose={onClose}>
      <Choice label={say('chat.model')} value={model} options={optionsOf(models.data?.items ?? [], chosen.model)} />
      <Choice label={say('chat.effort')} value={effort} options={sayEach(efforts)} />
      <Choice label={say('chat.thinking')} value={way} options={sayEach<string>(ways)} />
      {way.value === 'tokens' && <TextField label={say('chat.tokens')} value={tokens} inputMode='numeric' required />}
      <p class='small muted'>{hint}</p>
    </FormDialog>
  )
}

const ModelButton = (props: Props) => {
  const open = useSignal(false)
  return (
    <>
      <button
        type='button' class='quiet small model-choice' title={say('chat.model.title')}
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
  hint={say('chat.model.later')}
/>
  )
}

/** The same before the first message, with which it is sent. */
export const FirstModelChoice = ({ conversation: { chosen } }: { conversation: Conversation }) => <ModelButton
  label={chosen.value.model ?? answering.value?.model ?? say('chat.model.configured')} chosen={chosen.value}
  save={(next) => { chosen.value = next }} hint={say('chat.model.hint')}
/>
