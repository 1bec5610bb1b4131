import { useSignal } from '@preact/signals'
import { me } from '../shell/session'
import type { Approval } from './approval'
import type { WordsKind } from './words-form'
import { say } from '../texts/say'

/** What the reader may do with it. */
export interface Allowed { approve: boolean, reject: boolean, edit: boolean, words: boolean }

interface ButtonsProps {
  busy: boolean
  unread: boolean
  /** The plan is not shown whole: nothing is approved before it is unfolded. */
  isCut?: boolean
  allowed: Allowed
  onApprove: () => void
  onReject: () => void
  onEdit: () => void
  onWords: (kind: WordsKind) => void
  /** Of a dialog that the reader has opened: it has two buttons, to approve and to leave. */
  onCancel?: (() => void) | undefined
}

const Key = ({ of }: { of: string }) => <kbd aria-hidden='true'>{of}</kbd>

/** What is wanted less often. The letters work while it is closed, too. */
const More = ({ busy, onWords }: Pick<ButtonsProps, 'busy' | 'onWords'>) => {
  const open = useSignal(false)
  return (
    <>
      <button
        type='button' class='quiet' aria-label={say('approval.more')} title={say('approval.more')}
        aria-expanded={open.value} onClick={() => { open.value = !open.value }}
      >…
      </button>
      <span class='row tight' hidden={!open.value}>
        <button type='button' disabled={busy} aria-keyshortcuts='c' onClick={() => onWords('changes')}>
          {say('approval.changes')} <Key of='C' />
        </button>
        <button type='button' class='danger' disabled={busy} aria-keyshortcuts='w' onClick={() => onWords('reason')}>
          {say('approval.reason')} <Key of='W' />
        </button>
      </span>
    </>
  )
}

/** Their letters work while the focus is in the card. */
export const Buttons = ({
  busy, unread, isCut = false, allowed, onApprove, onReject, onEdit, onWords, onCancel
}: ButtonsProps) => <div
  class='row tight'
>
  {allowed.approve && isCut && <span class='small muted' role='status'>{say('approval.unfold')}</span>}
  {allowed.approve && !isCut && <button
    type='button' class='primary' disabled={busy} aria-disabled={unread} aria-keyshortcuts='a' onClick={onApprove}
  >{say('approval.approve')} <Key of='A' />
  </button>}
  {onCancel && <button type='button' disabled={busy} onClick={onCancel}>{say('proposal.cancel')}</button>}
  {!onCancel && allowed.reject && <button
    type='button' class='danger' disabled={busy} aria-disabled={unread} aria-keyshortcuts='r' onClick={onReject}
  >{say('approval.reject')} <Key of='R' />
  </button>}
  {allowed.edit && <button hidden={onCancel !== undefined} type='button' disabled={busy} aria-keyshortcuts='e' onClick={onEdit}>
    {say('approval.edit')} <Key of='E' />
  </button>}
  {!onCancel && allowed.words && <More busy={busy} onWords={onWords} />}
</div>

/** @returns what the reader may do; who asked may always reject */
export const allowedOf = (approval: Approval, isImpossible: boolean): Allowed => {
  const { may_approve: may, requested_by: asked, votes = [], kind, editable, steps } = approval
  const myId = me.value?.user.id
  // A step that has votes is approved with the others.
  const mayApprove = may !== false && !isImpossible && !steps
  const reject = may !== false || asked?.id === myId || votes.some(({ person }) => person.id === myId)
  return {
    approve: mayApprove,
    reject,
    edit: mayApprove && editable.length > 0,
    words: reject && !isImpossible && kind === 'tool'
  }
}
