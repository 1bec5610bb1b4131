import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { EnvironmentChoice } from '../../parts/environment-choice'
import { Choice } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ListChoice } from '../../parts/list-choice'
import { Notice } from '../../parts/notice'
import { ProjectChoice } from '../../parts/project-choice'
import type { Subject } from './bindings'
import { kinds, roleWords, scopeOf, type Places, type Scope } from './scopes'
import { say, sayEach } from '../../texts/say'

interface PlaceProps { kind: Scope['kind'], place: Signal<string>, places: Places }

const Place = ({ kind, place, places }: PlaceProps) => {
  if (kind === 'workspace') return null
  if (kind === 'environment') return <EnvironmentChoice label={say('scope.environment.label')} value={place} />
  if (kind === 'project') return <ProjectChoice value={place} />
  if (Object.keys(places.accounts).length === 0) return <Notice>{say('scope.none')}</Notice>
  return <ListChoice label={say('scope.account.label')} value={place} options={places.accounts} />
}

interface Props { of: Subject, places: Places, onChange: () => void, onClose: () => void }

/** Gives a role on a part of the workspace. */
export const GiveRole = ({ of, places, onChange, onClose }: Props) => {
  const role = useSignal<Schemas['Binding']['role']>('approver')
  const kind = useSignal<Scope['kind']>('environment')
  const place = useSignal('')
  const chosen = {
    get value () { return kind.value },
    set value (next: Scope['kind']) {
      kind.value = next
      place.value = ''
    }
  }
  const scope = scopeOf(kind.value, place.value.trim())
  const give = async () => {
    if (!scope) return
    const subject = { kind: of.kind, id: of.id }
    await body(api.POST('/account/bindings', { body: { role: role.value, subject, scope } }))
    onChange()
  }
  return (
    <FormDialog
      title={say('binding.giveTo', { name: of.name })} verb={say('binding.giveVerb')} act={give}
      ready={scope !== undefined} onClose={onClose}
    >
      <Choice label={say('common.role')} value={role} options={sayEach(roleWords)} />
      <Choice label={say('binding.on')} value={chosen} options={sayEach(kinds)} />
      <Place key={kind.value} kind={kind.value} place={place} places={places} />
    </FormDialog>
  )
}
