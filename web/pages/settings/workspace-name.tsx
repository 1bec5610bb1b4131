import { useSignal } from '@preact/signals'
import { Pencil } from '../../parts/icons'
import { api, body } from '../../api/client'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { loadSession, me } from '../../shell/session'
import { say } from '../../texts/say'

const Rename = ({ current, onClose }: { current: string, onClose: () => void }) => {
  const name = useSignal(current)
  const save = async () => {
    await body(api.PATCH('/account/workspace', { body: { name: name.value } }))
    await loadSession()
  }
  return (
    <FormDialog title={say('workspace.rename')} verb={say('common.save')} act={save} onClose={onClose}>
      <TextField label={say('common.name')} value={name} required maxLength={100} />
    </FormDialog>
  )
}

/** The name of the workspace, which its admins may change. */
export const WorkspaceName = () => {
  const renaming = useSignal(false)
  const { workspace, role } = me.value ?? {}
  return (
    <>
      {workspace?.name}
      {role === 'admin' && <button
        type='button' class='quiet icon small' aria-label={say('workspace.rename')}
        onClick={() => { renaming.value = true }}
      ><Pencil size={14} aria-hidden='true' />
      </button>}
      {renaming.value && workspace && <Rename
        current={workspace.name} onClose={() => { renaming.value = false }}
      />}
    </>
  )
}
