import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import { useAction } from '../api/action'
import { Problem } from '../api/problem'
import { formatState } from '../parts/badge'
import { CancelButton, Dialog } from '../parts/dialog'
import { Form } from '../parts/form'
import { ProblemNotice } from '../parts/notice'
import { problemIn } from '../parts/problem-words'
import { Loading } from '../parts/states'
import { operationOf } from '../results/registry'
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
  throw problemIn(call.result) ??
    new Problem(call.status, call.http_status ?? 0, say('proposal.failed', { status: formatState(call.status) }))
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

interface EndProps { call: Call, done: Props['done'], shows: Props['shows'], onClose: () => void }

/** What came back: in words of the page, or as its operation is shown; the card above says the rest. */
const Answered = ({ call, done, shows }: Omit<EndProps, 'onClose'>) => {
  if (!call.confirmation) {
    return (
      <>
        <p role='status'>{say(call.effect === 'read' ? 'proposal.read' : 'proposal.unasked')}</p>
        <TypedResult call={call} />
      </>
    )
  }
  if (done) return <>{done(call)}</>
  return shows || operationOf(call.name).view ? <TypedResult call={call} /> : null
}

const End = ({ onClose, ...answered }: EndProps) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => { element.current?.querySelector('button')?.focus() }, [])
  return (
    <>
      <Answered {...answered} />
      <div class='actions' ref={element}>
        <button type='button' class='primary' onClick={onClose}>{say('proposal.close')}</button>
      </div>
    </>
  )
}

interface Props {
  title: string
  /** The operation; `args` has all its inputs in one object, as in a tool call. */
  name: string
  args: () => Record<string, unknown>
  ready?: boolean
  onDone?: () => void
  /** The message after success, below the card. */
  done?: (call: Call) => ComponentChildren
  /** Shows what came back after success, also without a view of its own. */
  shows?: 'result'
  onClose: () => void
  /** The fields; without them the change is proposed at once. */
  children?: ComponentChildren
}

const useProposal = ({ name, args, onDone, onClose, children }: Props) => {
  const waiting = useSignal<Approval | undefined>(undefined)
  const ended = useSignal<Call | undefined>(undefined)
  useRejectWhenLeft(waiting)
  const proposal = useAction(async () => {
    const call = await propose(name, args())
    if (call.confirmation) waiting.value = call.confirmation
    else {
      ended.value = requireSuccess(await proceed(call.tool_call_id))
    }
  })
  const execution = useAction(async (approval: Approval) => {
    const call = await proceed(approval.tool_call_id ?? '', approval.id)
    if (call.finished_at === null) {
      // The state has changed between the decision and the call: Steward asks again.
      waiting.value = call.confirmation ?? undefined
      return
    }
    // What did not work leads back to the fields, with the reason above them.
    if (call.status !== 'succeeded') waiting.value = undefined
    const answered = requireSuccess(call)
    if (call.confirmation) waiting.value = call.confirmation
    ended.value = answered
  })
  const onChange: OnChange = (approval, how) => {
    waiting.value = how === 'decided' && approval.status === 'rejected' ? undefined : approval
    if (approval.status === 'approved') void execution.run(approval)
  }
  useEffect(() => { if (children === undefined) void proposal.run() }, [])
  // The page behind is read anew when the dialog is left: what opened it may be gone from the page by then.
  const leave = () => {
    if (ended.value?.effect === 'write') onDone?.()
    onClose()
  }
  return { waiting, ended, proposal, execution, onChange, leave }
}

/**
 * Does a person's write as the assistant does its writes: proposes the call, shows what it changes, and has it
 * approved. So the card and the executed code are the same.
 */
export const ProposalDialog = (props: Props) => {
  const { title, ready = true, done, shows, children } = props
  const { waiting: { value: shown }, ended: { value: answer }, proposal, execution, onChange, leave } = useProposal(props)
  return (
    <Dialog title={title} onClose={leave}>
      {proposal.problem && <ProblemNotice problem={proposal.problem} />}
      {execution.problem && <ProblemNotice problem={execution.problem} />}
      {shown && <ApprovalCard approval={shown} onChange={onChange} onCancel={leave} />}
      {answer && <End call={answer} done={done} shows={shows} onClose={leave} />}
      {children === undefined && proposal.busy && <Loading what={say('proposal.loading')} />}
      {!answer && !shown && (children !== undefined || !proposal.busy) && <InputForm
        ready={ready} busy={proposal.busy || execution.busy} onPropose={() => proposal.run()}
      >{children}
      </InputForm>}
    </Dialog>
  )
}
