import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import { useAction } from '../api/action'
import { Problem } from '../api/problem'
import { Dialog } from '../parts/dialog'
import { Form } from '../parts/form'
import { ProblemNotice } from '../parts/notice'
import { decide, type Decision } from './approval'
import { ApprovalCard } from './approval-card'

type Call = Schemas['ToolCall']
type Confirmation = Schemas['Confirmation']

const propose = async (name: string, args: Record<string, unknown>): Promise<Confirmation> => {
  const { confirmation } = await body(api.POST('/api/v1/agent/tool-calls', { body: { name, arguments: args } }))
  if (!confirmation) throw new Problem('not_asked', 0, 'Nothing was asked for')
  return confirmation
}

const waitSeconds = 30

/** @returns the call when it has ended. @throws Problem what it failed with */
const ended = async (id: string): Promise<Call> => {
  const params = { path: { tool_call_id: id }, query: { wait_s: waitSeconds } }
  const call = await body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', { params }))
  if (call.finished_at === null) return ended(id)
  if (call.status === 'succeeded') return call
  // The result of a call that failed is what the operation answered: a problem.
  const problem = (call.result ?? {}) as Partial<Schemas['Problem']>
  throw new Problem(problem.code ?? call.status, call.http_status ?? 0, problem.detail ?? `It ${call.status}`, problem)
}

/** What waits for a decision that was not made is rejected when its dialog closes. */
const useRejectWhenLeft = (waiting: Signal<Confirmation | undefined>) => useEffect(() => () => {
  if (waiting.value) void decide(waiting.value, { approved: false }).catch(() => {})
}, [])

interface AskProps {
  ready: boolean
  busy: boolean
  onAsk: () => void
  onClose: () => void
  children: ComponentChildren
}

const Ask = ({ ready, busy, onAsk, onClose, children }: AskProps) => <Form onSubmit={onAsk}>
  {children}
  <div class='actions'>
    <button type='button' onClick={onClose}>Cancel</button>
    <button class='primary' disabled={busy || !ready}>Show what changes</button>
  </div>
</Form>

interface Props {
  title: string
  /** The operation, and everything that it takes in one object, as a tool is called. */
  name: string
  args: () => Record<string, unknown>
  ready?: boolean
  onDone: () => void
  onClose: () => void
  children: ComponentChildren
}

/**
 * Does one write of a person by the road that the assistant's take: proposed, shown with what it changes, approved.
 * So the preview is the same, and so is what runs.
 */
export const ProposalDialog = ({ title, name, args, ready = true, onDone, onClose, children }: Props) => {
  const waiting = useSignal<Confirmation | undefined>(undefined)
  useRejectWhenLeft(waiting)
  const ask = useAction(async () => { waiting.value = await propose(name, args()) })
  const carry = useAction(async (shown: Confirmation, decision: Decision) => {
    waiting.value = undefined
    await decide(shown, decision)
    if (!decision.approved) return
    await ended(shown.tool_call_id ?? '')
    onDone()
    onClose()
  })
  const { value: shown } = waiting
  return (
    <Dialog title={title} onClose={onClose}>
      {ask.problem && <ProblemNotice problem={ask.problem} />}
      {carry.problem && <ProblemNotice problem={carry.problem} />}
      {shown
        ? <ApprovalCard approval={shown} onDecide={(decision) => carry.run(shown, decision)} />
        : <Ask ready={ready} busy={ask.busy || carry.busy} onAsk={() => { void ask.run() }} onClose={onClose}>
          {children}
        </Ask>}
    </Dialog>
  )
}
