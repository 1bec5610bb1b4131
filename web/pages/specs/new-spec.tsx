import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body } from '../../api/client'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { SpecFields, type SpecSettings } from './spec-fields'
import { say } from '../../texts/say'

const usual: SpecSettings = {
  title: '', spec_type: 'feature', profile: 'standard', notation: 'ears', project_id: null
}

/** Creates a session, with or without a text; its page takes further inputs and generates the spec. */
export const NewSpec = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation()
  const settings = useSignal(usual)
  const text = useSignal('')
  const act = async () => {
    const { title } = settings.value
    const inputs = text.value.trim() === '' ? [] : [{ kind: 'text' as const, label: title, text: text.value }]
    const made = await body(api.POST('/pse/sessions', { body: { ...settings.value, inputs } }))
    navigate(inputs.length === 0 ? `/specs/${made.session_id}/inputs` : `/specs/${made.session_id}`)
  }
  return (
    <FormDialog title={say('specs.new')} verb={say('specs.create')} act={act} onClose={onClose}>
      <SpecFields of={settings} />
      <AreaField
        label={say('specs.text')} value={text} rows={8}
        placeholder={say('specs.text.example')}
      />
    </FormDialog>
  )
}
