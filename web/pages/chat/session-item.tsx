import { useSignal } from '@preact/signals'
import { Pencil, Pin, Trash2 } from '../../parts/icons'
import { Link, useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { Time } from '../../parts/time'
import { announce } from './tabs'
import { say } from '../../texts/say'

type Session = Schemas['FoundChatSession']
interface Props { session: Session, current: boolean, onChange: () => void }
interface DialogProps { session: Session, onClose: () => void, onChange: () => void }

const nameOf = (session: Session) => session.title ?? say('chat.new')

const RenameDialog = ({ session, onClose, onChange }: DialogProps) => {
  const title = useSignal(session.title ?? '')
  const act = async () => {
    const params = { path: { session_id: session.id } }
    await body(api.PATCH('/api/v1/agent/sessions/{session_id}', { params, body: { title: title.value } }))
    onChange()
    announce(session.id)
  }
  return (
    <FormDialog
      title={say('chat.rename.title')} verb={say('chat.rename')} act={act} onClose={onClose}
      ready={title.value.trim() !== ''}
    >
      <TextField label={say('chat.title')} value={title} required maxLength={120} />
    </FormDialog>
  )
}

const DeleteDialog = ({ session, current, onClose, onChange }: DialogProps & { current: boolean }) => {
  const [, navigate] = useLocation()
  const act = async () => {
    await body(api.DELETE('/api/v1/agent/sessions/{session_id}', { params: { path: { session_id: session.id } } }))
    onChange()
    if (current) navigate('/')
  }
  return (
    <ConfirmDialog title={say('chat.delete.title')} verb={say('chat.delete')} act={act} onClose={onClose}>
      {say('chat.delete.words', { name: nameOf(session) })}
    </ConfirmDialog>
  )
}

const PinButton = ({ session, onChange }: Pick<Props, 'session' | 'onChange'>) => {
  const act = async () => {
    const params = { path: { session_id: session.id } }
    await body(api.PATCH('/api/v1/agent/sessions/{session_id}', { params, body: { pinned: !session.pinned } }))
    onChange()
  }
  return (
    <ActionButton
      act={act} variant='quiet icon small' pressed={session.pinned} label={say('chat.pin', { name: nameOf(session) })}
    ><Pin size={14} aria-hidden='true' />
    </ActionButton>
  )
}

const Marks = ({ session }: { session: Session }) => {
  if (session.pending_confirmations > 0) {
    return <span class='mark warn'><span class='unseen'>{say('chat.waits')}</span></span>
  }
  if (!session.live_run) return null
  return <span class='mark live'><span class='unseen'>{say('chat.running')}</span></span>
}

export const SessionItem = ({ session, current, onChange }: Props) => {
  const open = useSignal<'rename' | 'delete' | undefined>(undefined)
  const close = () => { open.value = undefined }
  const name = nameOf(session)
  return (
    <li class='session'>
      <Link href={`/chat/${session.id}`} aria-current={current ? 'page' : undefined}>
        <span class='clip'>{name}</span>
        {session.excerpt && <span class='small muted excerpt'>{session.excerpt}</span>}
        <span class='small muted row tight fixed'>
          <Marks session={session} /><Time at={session.last_activity_at} />
        </span>
      </Link>
      <span class='session-actions'>
        <PinButton session={session} onChange={onChange} />
        <button
          type='button' class='quiet icon small' aria-label={say('chat.rename.of', { name })}
          onClick={() => { open.value = 'rename' }}
        ><Pencil size={14} aria-hidden='true' />
        </button>
        <button
          type='button' class='quiet icon small' aria-label={say('chat.delete.of', { name })}
          onClick={() => { open.value = 'delete' }}
        ><Trash2 size={14} aria-hidden='true' />
        </button>
      </span>
      {open.value === 'rename' && <RenameDialog session={session} onClose={close} onChange={onChange} />}
      {open.value === 'delete' &&
        <DeleteDialog session={session} current={current} onClose={close} onChange={onChange} />}
    </li>
  )
}
