import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { field, type Cell } from '../../parts/cell'
import { FormDialog } from '../../parts/form-dialog'
import { isSame, useKept, type Kept } from '../../parts/kept'
import { SpecFields, type SpecSettings } from '../specs/spec-fields'
import { formKey } from './drafts'
import { KeptNotice } from './kept-notice'
import type { Spec } from './index'
import { titleOf } from '../standard/kinds'
import { say } from '../../texts/say'

type Attached = Schemas['AttachedStandard'][]

/** The standards that check the spec, in their newest versions unless pinned. */
const Standards = ({ attached }: { attached: Cell<Attached> }) => {
  const standards = useResource([], (signal) =>
    body(api.GET('/pse/standards', { params: { query: { limit: 100 } }, signal })))
  if (!standards.data?.items.length) return null
  return (
    <fieldset class='stack tight'>
      <legend>{say('spec.heldTo')}</legend>
      {standards.data.items.map(({ standard_id: id, ...standard }) => <label key={id} class='check'>
        <input
          type='checkbox' checked={attached.value.some((one) => one.standard_id === id)}
          onChange={({ currentTarget: { checked } }) => {
            const others = attached.value.filter((one) => one.standard_id !== id)
            attached.value = checked ? [...others, { standard_id: id }] : others
          }}
        />{titleOf(standard)}
      </label>)}
    </fieldset>
  )
}

interface Settings { settings: SpecSettings, attached: Attached }

const settingsOf = ({ title, spec_type, profile, notation, project_id, standards }: Spec['session']): Settings =>
  ({ settings: { title, spec_type, profile, notation, project_id }, attached: standards })

/** @returns the settings as they are, with what the person has changed: others may have saved others since */
const changedOf = ({ before, edited }: Kept<Settings>, now: Settings): Settings => {
  const own = Object.entries(edited.settings)
    .filter(([key, value]) => !Object.entries(before.settings).some((one) => isSame(one, [key, value])))
  const { attached } = isSame(before.attached, edited.attached) ? now : edited
  return { settings: { ...now.settings, ...Object.fromEntries(own) }, attached }
}

/** The settings for the next version. */
export const SettingsDialog = ({ session, onChange, onClose }: Spec & { onClose: () => void }) => {
  const now = settingsOf(session)
  const keeping = useKept(formKey(session.session_id, 'settings'), now)
  const { of, forget } = keeping
  const edited = field(of, 'edited')
  const act = async () => {
    const params = { path: { session_id: session.session_id }, header: { 'If-Match': `"r${session.revision}"` } }
    const { settings, attached } = changedOf(of.value, now)
    await body(api.PATCH('/pse/sessions/{session_id}', { params, body: { ...settings, standards: attached } }))
      .finally(onChange)
    forget()
  }
  return (
    <FormDialog title={say('spec.settings')} verb={say('spec.save')} act={act} onClose={onClose} onDiscard={forget}>
      <KeptNotice of={keeping} />
      <SpecFields of={field(edited, 'settings')} />
      <Standards attached={field(edited, 'attached')} />
    </FormDialog>
  )
}
