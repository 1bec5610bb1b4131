import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { AreaField, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { say } from '../../texts/say'

interface Props { project: Schemas['Project'] | undefined, onClose: () => void, onChange: () => void }

const save = async (project: Props['project'], next: Schemas['CreateProject']) => {
  if (!project) return await body(api.POST('/account/projects', { body: next }))
  const params = { path: { project_id: project.id }, header: { 'If-Match': `"r${project.revision}"` } }
  return await body(api.PATCH('/account/projects/{project_id}', { params, body: next }))
}

/** Creates a project, or edits its name and description. */
export const ProjectDialog = ({ project, onClose, onChange }: Props) => {
  const name = useSignal(project?.name ?? '')
  const description = useSignal(project?.description ?? '')
  const act = async () => {
    await save(project, { name: name.value, description: description.value.trim() || null })
    onChange()
  }
  return (
    <FormDialog
      title={say(project ? 'project.edit' : 'project.new')} verb={say(project ? 'common.save' : 'common.create')}
      act={act} onClose={onClose}
    >
      <TextField label={say('common.name')} value={name} required maxLength={100} />
      <AreaField label={say('project.description')} value={description} rows={3} maxLength={2000} />
    </FormDialog>
  )
}
