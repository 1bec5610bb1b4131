import { Lock, LockOpen, Pencil } from '../../parts/icons'
import { ActionButton } from '../../parts/action-button'
import { sendEdit } from './send-inputs'
import type { Written } from './index'
import { say } from '../../texts/say'

interface LockProps extends Written { target: string, label: string, isLocked: boolean }

/** Locks and unlocks; whatever others have written meanwhile stays. */
export const LockButton = ({ session, version, onChange, target, label, isLocked }: LockProps) => {
  const op = isLocked ? 'unlock' as const : 'lock' as const
  const turn = () => sendEdit(session.session_id, version, { of: () => null, op: () => ({ op, target }) })
    .finally(onChange)
  return (
    <ActionButton
      variant='quiet icon small' label={say(isLocked ? 'spec.unlock' : 'spec.lock', { id: label })} act={turn}
    >
      {isLocked ? <Lock size={15} aria-hidden='true' /> : <LockOpen size={15} aria-hidden='true' />}
    </ActionButton>
  )
}

export const EditButton = ({ label, onEdit }: { label: string, onEdit: () => void }) => <button
  type='button' class='quiet icon small' aria-label={label} onClick={onEdit}
><Pencil size={15} aria-hidden='true' />
</button>

interface Props extends Written { name: string, label: string, onEdit?: () => void, level?: 'h2' | 'h3' }

/** The heading of a part, with its lock and its editor. A generation changes no locked part, and no person does. */
export const PartHead = ({ name, label, onEdit, level: Heading = 'h3', ...written }: Props) => {
  const isLocked = written.version.document.locked_sections.includes(name)
  return (
    <div class='row tight'><Heading>{label}</Heading>
      <LockButton {...written} target={`sections.${name}`} label={label} isLocked={isLocked} />
      {!isLocked && onEdit && <EditButton label={say('spec.edit.part', { part: label })} onEdit={onEdit} />}
    </div>
  )
}
