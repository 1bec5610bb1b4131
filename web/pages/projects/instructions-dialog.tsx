import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ProblemNotice } from '../../parts/notice'
import { Loading } from '../../parts/states'
import { say } from '../../texts/say'

interface Props { project: Schemas['Project'], onClose: () => void }

/** What the assistant is given with every message about the project. */
export const InstructionsDialog = ({ project, onClose }: Props) => {
  const path = { project_id: project.id }
  const { data, problem } = useResource([project.id], (signal) =>
    body(api.GET('/account/projects/{project_id}/instructions', { params: { path }, signal })))
  const text = useSignal('')
  useEffect(() => { text.value = data?.text ?? '' }, [data])
  const act = async () => {
    const params = { path, header: { 'If-Match': `"r${data?.revision ?? 0}"` } }
    await body(api.PUT('/account/projects/{project_id}/instructions', { params, body: { text: text.value } }))
  }
  return (
    <FormDialog
      title={say('project.instructionsOf', { name: project.name })} verb={say('common.save')} act={act}
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} />}
      {!data && !problem && <Loading what={say('project.loading')} />}
      {data && <AreaField label={say('project.given')} value={text} rows={8} maxLength={4000} />}
      <p class='small muted'>{say('project.rules')}</p>
    </FormDialog>
  )
}
