import type { Allowed } from '../../approvals/buttons'
import type { WordsKind } from '../../approvals/words-form'
import { say } from '../../texts/say'

interface Props {
  count: number
  allowed: Allowed
  busy: boolean
  unread: boolean
  /** The steps of high risk that the reader has not named yet: without them nothing is approved. */
  left: readonly number[]
  /** A step is not shown whole here. */
  isCut: boolean
  onApprove: () => void
  onReject: () => void
  onWords: (kind: WordsKind) => void
}

const Key = ({ of }: { of: string }) => <kbd aria-hidden='true'>{of}</kbd>

const Left = ({ left }: { left: readonly number[] }) => left.length === 0
  ? null
  : (
    <p class='small' role='status'>
      {say('plan.leftHigh', { count: left.length, steps: left.join(', ') })}
    </p>
    )

/** There is no button that approves a step of high risk unread. Their letters work while the focus is in the card. */
export const PlanButtons = ({ count, allowed, busy, unread, left, isCut, onApprove, onReject, onWords }: Props) => <>
  {isCut && <p class='small' role='status'>{say('plan.cut')}</p>}
  {allowed.approve && <Left left={left} />}
  <div class='row tight'>
    {allowed.approve && left.length === 0 && <button
      type='button' class='primary' disabled={busy} aria-disabled={unread} aria-keyshortcuts='a' onClick={onApprove}
    >{say('plan.approveAll', { count })} <Key of='A' />
    </button>}
    {allowed.reject && <button
      type='button' class='danger' disabled={busy} aria-disabled={unread} aria-keyshortcuts='r' onClick={onReject}
    >{say('plan.rejectAll')} <Key of='R' />
    </button>}
    {allowed.words && <button type='button' disabled={busy} aria-keyshortcuts='c' onClick={() => onWords('changes')}>
      {say('approval.changes')} <Key of='C' />
    </button>}
    {allowed.words && <button
      type='button' class='danger' disabled={busy} aria-keyshortcuts='w' onClick={() => onWords('reason')}
    >{say('approval.reason')} <Key of='W' />
    </button>}
  </div>
</>
