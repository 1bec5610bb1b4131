import { useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { ShieldCheck } from 'lucide-preact'
import { useAction } from '../api/action'
import { Badge, StateBadge } from '../parts/badge'
import { sayLabel } from '../parts/label'
import { ProblemNotice } from '../parts/notice'
import { TimeLeft } from '../parts/time'
import { Json } from '../parts/value'
import type { Approval, Decision } from './approval'
import { ArgumentsForm } from './arguments-form'
import { Preview } from './preview'
import './approval-card.css'

const risks = { low: 'plain', medium: 'warn', high: 'bad' } as const

interface Props { approval: Approval, onDecide: (decision: Decision) => Promise<unknown> }
interface ButtonsProps { busy: boolean, editable: boolean, onDecide: (decision: Decision) => void, onEdit: () => void }

const Buttons = ({ busy, editable, onDecide, onEdit }: ButtonsProps) => <div class='row tight'>
  <button
    type='button' class='primary' disabled={busy} aria-keyshortcuts='a'
    onClick={() => onDecide({ approved: true })}
  >
    Approve <kbd aria-hidden='true'>A</kbd>
  </button>
  <button
    type='button' class='danger' disabled={busy} aria-keyshortcuts='r'
    onClick={() => onDecide({ approved: false })}
  >
    Reject <kbd aria-hidden='true'>R</kbd>
  </button>
  {editable && <button type='button' disabled={busy} aria-keyshortcuts='e' onClick={onEdit}>
    Edit <kbd aria-hidden='true'>E</kbd>
  </button>}
</div>

const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')

const Open = ({ approval, onDecide }: Props) => {
  const editing = useSignal(false)
  const { run, busy, problem } = useAction(onDecide)
  const decide = (decision: Decision) => { void run(decision) }
  return (
    <>
      {approval.preview.length > 0 && <Preview rows={approval.preview} />}
      <details class='small'>
        <summary>Exactly what runs: <code>{approval.name}</code></summary>
        <Json value={approval.arguments} />
      </details>
      {problem && <ProblemNotice problem={problem} />}
      {editing.value
        ? <ArgumentsForm
            approval={approval} busy={busy} onCancel={() => { editing.value = false }}
            onApprove={(edited) => decide({ approved: true, arguments: edited })}
        />
        : <Buttons
            busy={busy} editable={approval.editable.length > 0} onDecide={decide}
            onEdit={() => { editing.value = true }}
        />}
    </>
  )
}

/** With the focus anywhere in the card: A approves, R rejects, E edits. Nowhere else do single letters do anything. */
const pressed: Record<string, string> = { a: 'a', r: 'r', e: 'e' }

/** One thing that waits for a person: what it is, what it changes, and the decision. */
export const ApprovalCard = ({ approval, onDecide }: Props) => {
  const element = useRef<HTMLElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressed[event.key.toLowerCase()]
    if (!key || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    element.current?.querySelector<HTMLButtonElement>(`[aria-keyshortcuts="${key}"]`)?.click()
  }
  const pending = approval.status === 'pending'
  return (
    <section
      ref={element} class={pending ? 'approval pending' : 'approval'} onKeyDown={onKeyDown}
      tabIndex={pending ? 0 : -1} data-approval={approval.id} aria-label={`Approval: ${approval.summary}`}
    >
      <header>
        <ShieldCheck size={18} aria-hidden='true' />
        <strong class='grow'>{approval.summary || sayLabel(approval.name)}</strong>
      </header>
      <div class='row tight small muted'>
        <Badge tone={risks[approval.risk]}>{approval.risk} risk</Badge>
        {pending ? <TimeLeft until={approval.expires_at} /> : <StateBadge state={approval.status} />}
      </div>
      {pending ? <Open approval={approval} onDecide={onDecide} /> : <Preview rows={approval.preview} />}
    </section>
  )
}
