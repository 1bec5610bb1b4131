import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { FormDialog } from '../../parts/form-dialog'
import { SpecFields, type SpecSettings } from '../specs/spec-fields'
import type { Spec } from './index'
import { say } from '../../texts/say'

type Attached = Schemas['AttachedStandard'][]

/** The standards that check the spec, in their newest versions unless pinned. */
const Standards = ({ attached }: { attached: Signal<Attached> }) => {
  const standards = useResource([], (signal) =>
    body(api.GET('/pse/standards', { params: { query: { limit: 100 } }, signal })))
  if (!standards.data?.items.length) return null
  return (
    <fieldset class='stack tight'>
      <legend>{say('spec.heldTo')}</legend>
      {standards.data.items.map(({ standard_id: id, title }) => <label key={id} class='check'>
        <input
          type='checkbox' checked={attached.value.some((one) => one.standard_id === id)}
          onChange={({ currentTarget: { checked } }) => {
            const others = attached.value.filter((one) => one.standard_id !== id)
            attached.value = checked ? [...others, { standard_id: id }] : others
          }}
        />{title}
      </label>)}
    </fieldset>
  )
}

const settingsOf = ({ title, spec_type, profile, notation, project_id }: Spec['session']): SpecSettings =>
  ({ title, spec_type, profile, notation, project_id })

/** The settings for the next version. */
export const SettingsDialog = ({ session, onChange, onClose }: Spec & { onClose: () => void }) => {
  const settings = useSignal(settingsOf(session))
  const attached = useSignal<Attached>(session.standards)
  const act = async () => {
    const params = { path: { session_id: session.session_id }, header: { 'If-Match': `"r${session.revision}"` } }
    const next = { ...settings.value, standards: attached.value }
    await body(api.PATCH('/pse/sessions/{session_id}', { params, body: next }))
    onChange()
  }
  return (
    <FormDialog title={say('spec.settings')} verb={say('spec.save')} act={act} onClose={onClose}>
      <SpecFields of={settings} />
      <Standards attached={attached} />
    </FormDialog>
  )
}
