import type { Allowed } from '../../approvals/buttons'
import type { WordsKind } from '../../approvals/words-form'

interface Props {
  count: number
  allowed: Allowed
  busy: boolean
  unread: boolean
  /** The steps of high risk that the reader has not named yet: without them nothing is approved. */
  left: readonly number[]
  onApprove: () => void
  onReject: () => void
  onWords: (kind: WordsKind) => void
}

const Key = ({ of }: { of: string }) => <kbd aria-hidden='true'>{of}</kbd>

const Left = ({ left }: { left: readonly number[] }) => left.length === 0
  ? null
  : (
    <p class='small' role='status'>
      {left.length === 1 ? `Step ${left[0]} is` : `Steps ${left.join(', ')} are`} of high risk: approve{' '}
      {left.length === 1 ? 'it' : 'each of them'} above first.
    </p>
    )

/** There is no button that approves a step of high risk unread. Their letters work while the focus is in the card. */
export const PlanButtons = ({ count, allowed, busy, unread, left, onApprove, onReject, onWords }: Props) => <>
  {allowed.approve && <Left left={left} />}
  <div class='row tight'>
    {allowed.approve && left.length === 0 && <button
      type='button' class='primary' disabled={busy} aria-disabled={unread} aria-keyshortcuts='a' onClick={onApprove}
    >Approve all {count} steps <Key of='A' />
    </button>}
    {allowed.reject && <button
      type='button' class='danger' disabled={busy} aria-disabled={unread} aria-keyshortcuts='r' onClick={onReject}
    >Reject all <Key of='R' />
    </button>}
    {allowed.words && <button type='button' disabled={busy} aria-keyshortcuts='c' onClick={() => onWords('changes')}>
      Ask for changes <Key of='C' />
    </button>}
    {allowed.words && <button
      type='button' class='danger' disabled={busy} aria-keyshortcuts='w' onClick={() => onWords('reason')}
    >Say why not <Key of='W' />
    </button>}
  </div>
</>
