import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import { useAction } from '../api/action'
import { Problem } from '../api/problem'
import { CancelButton, Dialog } from '../parts/dialog'
import { Form } from '../parts/form'
import { ProblemNotice } from '../parts/notice'
import { Loading } from '../parts/states'
import { TypedResult } from '../results/typed'
import { decide, type Approval } from './approval'
import { ApprovalCard } from './approval-card'
import type { OnChange } from './decision'
import { say } from '../texts/say'

type Call = Schemas['ToolCall']

const propose = (name: string, args: Record<string, unknown>): Promise<Call> =>
  body(api.POST('/api/v1/agent/tool-calls', { body: { name, arguments: args } }))

const waitSeconds = 10

/** @returns the call when it has ended, or when it awaits another approval than `answered`. @throws Problem */
const proceed = async (id: string, answered?: string): Promise<Call> => {
  const params = { path: { tool_call_id: id }, query: { wait_s: waitSeconds } }
  const call = await body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', { params }))
  const { confirmation } = call
  if (call.finished_at !== null || (confirmation?.status === 'pending' && confirmation.id !== answered)) return call
  return proceed(id, answered)
}

/** @throws Problem the failure of a call that did not succeed */
const requireSuccess = (call: Call): Call => {
  if (call.status === 'succeeded') return call
  // The result of a failed call is the operation's error response: a problem.
  const problem = (call.result ?? {}) as Partial<Schemas['Problem']>
  const detail = problem.detail ?? say('proposal.failed', { status: call.status })
  throw new Problem(problem.code ?? call.status, call.http_status ?? 0, detail, problem)
}

/** Closing the dialog rejects an undecided approval. */
const useRejectWhenLeft = (waiting: Signal<Approval | undefined>) => useEffect(() => () => {
  const { value: left } = waiting
  if (left?.status !== 'pending') return
  const { input_digest } = left
  void decide(left, { approved: false, input_digest }).catch(() => {})
}, [])

interface InputFormProps {
  ready: boolean
  busy: boolean
  /** @returns false when it failed: what was typed is then still not saved */
  onPropose: () => Promise<boolean>
  children?: ComponentChildren
}

const InputForm = ({ ready, busy, onPropose, children }: InputFormProps) => <Form onSubmit={onPropose}>
  {children}
  <div class='actions'>
    <CancelButton>{say('proposal.cancel')}</CancelButton>
    <button class='primary' disabled={busy || !ready}>{say('proposal.show')}</button>
  </div>
</Form>

interface EndProps { call: Call, done: Props['done'], onClose: () => void }

const End = ({ call, done, onClose }: EndProps) => <>
  {!call.confirmation && <p role='status'>{say(call.effect === 'read' ? 'proposal.read' : 'proposal.unasked')}
  </p>}
  {call.confirmation && done ? done(call) : <TypedResult call={call} />}
  <div class='actions'><button type='button' class='primary' onClick={onClose}>{say('proposal.close')}</button></div>
</>

interface Props {
  title: string
  /** The operation; `args` has all its inputs in one object, as in a tool call. */
  name: string
  args: () => Record<string, unknown>
  ready?: boolean
  onDone?: () => void
  /** The message after success; without it, and without `shows`, the dialog closes. */
  done?: (call: Call) => ComponentChildren
  /** Shows what came back after success. */
  shows?: 'result'
  onClose: () => void
  /** The fields; without them the change is proposed at once. */
  children?: ComponentChildren
}

const useProposal = ({ name, args, onDone, done, shows, children, onClose }: Props) => {
  const waiting = useSignal<Approval | undefined>(undefined)
  const ended = useSignal<Call | undefined>(undefined)
  useRejectWhenLeft(waiting)
  const proposal = useAction(async () => {
    const call = await propose(name, args())
    if (call.confirmation) waiting.value = call.confirmation
    else {
      ended.value = requireSuccess(await proceed(call.tool_call_id))
      if (call.effect === 'write') onDone?.()
    }
  })
  const execution = useAction(async (approval: Approval) => {
    const call = await proceed(approval.tool_call_id ?? '', approval.id)
    if (call.finished_at === null) {
      // The state has changed between the decision and the call: Steward asks again.
      waiting.value = call.confirmation ?? undefined
      return
    }
    waiting.value = undefined
    const answered = requireSuccess(call)
    onDone?.()
    if (done || shows) ended.value = answered
    else onClose()
  })
  const onChange: OnChange = (approval, how) => {
    waiting.value = how === 'decided' && approval.status === 'rejected' ? undefined : approval
    if (approval.status === 'approved') void execution.run(approval)
  }
  useEffect(() => { if (children === undefined) void proposal.run() }, [])
  return { waiting, ended, proposal, execution, onChange }
}

/**
 * Does a person's write as the assistant does its writes: proposes the call, shows what it changes, and has it
 * approved. So the card and the executed code are the same.
 */
export const ProposalDialog = (props: Props) => {
  const { title, ready = true, done, onClose, children } = props
  const { waiting: { value: shown }, ended: { value: answer }, proposal, execution, onChange } = useProposal(props)
  return (
    <Dialog title={title} onClose={onClose}>
      {proposal.problem && <ProblemNotice problem={proposal.problem} />}
      {execution.problem && <ProblemNotice problem={execution.problem} />}
      {execution.busy && <p class='muted' role='status'>{say('proposal.running')}</p>}
      {answer && <End call={answer} done={done} onClose={onClose} />}
      {!answer && shown && <ApprovalCard approval={shown} onChange={onChange} onCancel={onClose} />}
      {children === undefined && proposal.busy && <Loading what={say('proposal.loading')} />}
      {!answer && !shown && (children !== undefined || !proposal.busy) && <InputForm
        ready={ready} busy={proposal.busy || execution.busy} onPropose={() => proposal.run()}
      >{children}
      </InputForm>}
    </Dialog>
  )
}
