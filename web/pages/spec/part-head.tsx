import { Lock, LockOpen, Pencil } from '../../parts/icons'
import { ActionButton } from '../../parts/action-button'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

interface Props extends Spec { version: Version, name: string, label: string, onEdit: () => void }

/** The heading of a part, with its lock and its editor. A generation changes no locked part, and no person does. */
export const PartHead = ({ session, version, onChange, name, label, onEdit }: Props) => {
  const isLocked = version.document.locked_sections.includes(name)
  const turn = async () => {
    const op = isLocked ? 'unlock' as const : 'lock' as const
    await sendInputs(session.session_id, editOf(version, { op, target: `sections.${name}` }))
    onChange()
  }
  return (
    <div class='row tight'><h3>{label}</h3>
      <ActionButton
        variant='quiet icon small' label={say(isLocked ? 'spec.unlock' : 'spec.lock', { id: label })} act={turn}
      >{isLocked ? <Lock size={15} aria-hidden='true' /> : <LockOpen size={15} aria-hidden='true' />}
      </ActionButton>
      {!isLocked && <button
        type='button' class='quiet icon small' aria-label={say('spec.edit.part', { part: label })} onClick={onEdit}
      ><Pencil size={15} aria-hidden='true' />
      </button>}
    </div>
  )
}
