import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Approval } from './approval'
import type { OnChange } from './decision'
import { Became, Following } from './following'
import { Head } from './head'
import { Open } from './open'
import { RiskBadge } from './risk-badge'
import { Ending, Settled } from './settled'
import { useKeysInView } from './keys-in-view'
import { keepFocusIn, pressShortcut } from './shortcuts'
import './approval-card.css'

interface Props {
  approval: Approval
  onChange: OnChange
  /** The state of its write, where the owner of the card knows it; else the card reads it. */
  became?: string
  /** Leaves a dialog that the reader has opened. */
  onCancel?: () => void
}

/**
 * An approval, pending or decided: the call, what it changes, and the decision. The owner of the card keeps the
 * approval: `onChange` gets its new state, or the approval that replaces it.
 */
export const ApprovalCard = ({ approval: given, onChange, became, onCancel }: Props) => {
  const whole = useSignal<Approval | undefined>(undefined)
  // The rows of an approval never change: once read whole, they replace the cut rows of any list.
  const approval = whole.value?.id === given.id && whole.value.input_digest === given.input_digest
    ? { ...given, preview: whole.value.preview, not_shown: whole.value.not_shown }
    : given
  const element = useRef<HTMLElement>(null)
  const headId = useId()
  const onKeyDown = (event: KeyboardEvent) => pressShortcut(element.current, event)
  const keepFocus = () => keepFocusIn(element.current)
  const onWhole = (read: Approval) => { whole.value = read }
  const pending = approval.status === 'pending'
  const isFollowed = approval.status === 'approved' && approval.tool_call_id !== null
  useKeysInView(element, approval.id, pending)
  return (
    <section
      ref={element} class={pending ? 'approval pending' : 'approval'} onKeyDown={onKeyDown}
      tabIndex={pending ? 0 : -1} data-approval={approval.id} aria-labelledby={headId}
    >
      {pending
        ? <Open approval={approval} headId={headId} onChange={onChange} onWhole={onWhole} onLost={keepFocus} onCancel={onCancel} />
        : <>
          <Head id={headId} approval={approval} summary={approval.summary}>
            <RiskBadge risk={approval.risk} />
            <Ending approval={approval} />
            {isFollowed && (became === undefined
              ? <Following approval={approval} />
              : <Became approval={approval} status={became} />)}
          </Head>
          <Settled approval={approval} isOfDialog={onCancel !== undefined} onWhole={onWhole} />
        </>}
    </section>
  )
}
