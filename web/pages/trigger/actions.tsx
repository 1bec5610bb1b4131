import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Play } from '../../parts/icons'
import { EditTrigger } from './edit-trigger'
import { NewSecret } from './new-secret'
import { say } from '../../texts/say'

interface Props { trigger: Schemas['Trigger'], onChange: () => void, onRun: () => void }

const paramsOf = ({ id, revision }: Props['trigger']) =>
  ({ path: { trigger_id: id }, header: { 'If-Match': `"r${revision}"` } })

const DeleteDialog = ({ trigger, onChange, onClose }: Omit<Props, 'onRun'> & { onClose: () => void }) => {
  const [, navigate] = useLocation()
  const remove = async () => {
    try {
      await body(api.DELETE('/api/v1/agent/triggers/{trigger_id}', { params: paramsOf(trigger) }))
    } catch (error) {
      onChange()
      throw error
    }
    navigate('/triggers')
  }
  return (
    <ConfirmDialog
      title={say('trigger.delete', { name: trigger.name })} verb={say('common.delete')} act={remove}
      onClose={onClose}
    >
      {say('trigger.delete.words')}
    </ConfirmDialog>
  )
}

const dialogs = { edit: EditTrigger, secret: NewSecret, remove: DeleteDialog }

/** What a person does with a trigger. */
export const Actions = ({ trigger, onChange, onRun }: Props) => {
  const open = useSignal<keyof typeof dialogs | undefined>(undefined)
  const Open = open.value && dialogs[open.value]
  const run = async () => {
    await body(api.POST('/api/v1/agent/triggers/{trigger_id}/run', { params: { path: { trigger_id: trigger.id } } }))
    onRun()
  }
  const turn = async () => {
    try {
      await body(api.PATCH('/api/v1/agent/triggers/{trigger_id}', {
        params: paramsOf(trigger), body: { enabled: !trigger.enabled }
      }))
    } finally {
      onChange()
    }
  }
  return (
    <>
      <ActionButton
        variant='primary' act={run}
      ><Play size={16} aria-hidden='true' />{say('trigger.runNow')}
      </ActionButton>
      <ActionButton act={turn}>{trigger.enabled ? say('trigger.pause') : say('trigger.resume')}</ActionButton>
      <button type='button' onClick={() => { open.value = 'edit' }}>{say('common.edit')}</button>
      {trigger.source !== null && trigger.source !== 'sns' && <button
        type='button' onClick={() => { open.value = 'secret' }}
      >{say('trigger.newSecret')}
      </button>}
      <button type='button' class='danger' onClick={() => { open.value = 'remove' }}>{say('common.delete')}</button>
      {Open && <Open trigger={trigger} onChange={onChange} onClose={() => { open.value = undefined }} />}
    </>
  )
}
