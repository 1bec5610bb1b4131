import { api, body, type Schemas } from '../api/client'
import { problemOf, type Problem } from '../api/problem'
import { withConsent } from '../passkeys/consent'

type Confirmation = Schemas['Confirmation']
export type Arguments = Record<string, unknown>
export type Plan = Schemas['ConfirmationPlan']

/** An approval as a card shows it, from the stream or from the API's list. */
export type Approval = Pick<Confirmation, 'id' | 'kind' | 'session_id' | 'tool_call_id' | 'status' | 'name' |
  'arguments' | 'target' | 'summary' | 'preview' | 'risk' | 'risk_reasons' | 'editable' | 'input_digest' |
  'proposed' | 'replaces' | 'expires_at' | 'decided_at' | 'run_id' | 'requested_at'> &
  /** Only of an approval that was read from the API. */
  Partial<Pick<Confirmation, 'votes' | 'waits_for' | 'may_approve' | 'requested_by' | 'decided_by' | 'requirement' |
    'escalates_at' | 'escalated' | 'reason' | 'changes' | 'thread_id' | 'steps' | 'edited_by' | 'not_shown' | 'outcome'>>

/**
 * @returns whether the browser shows the plan whole. Of the stream, rows may be cut: they are whole once they are read.
 * What no card has whole is shown once the exact arguments are unfolded.
 */
export const isShownWhole = ({ preview, not_shown: missing = [] }: Pick<Approval, 'preview' | 'not_shown'>): boolean =>
  !preview.some(({ truncated }) => truncated) && !missing.some(({ surface }) => surface === 'browser')

/** What a card shows of an approval, or of an edit of it. */
export type Shown = Pick<Approval,
  'summary' | 'preview' | 'risk' | 'risk_reasons' | 'target' | 'arguments' | 'input_digest'>

const noVotes: Confirmation['votes'] = []
const pending =
  { status: 'pending' as const, proposed: null, decided_at: null, votes: noVotes, waits_for: null }

export const fromEvent = ({ confirmation_id: id, ...event }: Schemas['ConfirmationRequiredEvent']): Approval => ({
  ...event,
  ...pending,
  id,
  requested_at: new Date().toISOString(),
  // By every tool's schema the arguments are an object.
  arguments: (event.arguments ?? {}) as Arguments
})

export interface Decision {
  approved: boolean
  /** The digest of the plan on the screen. */
  input_digest: string
  /** With an edit: the arguments of its plan. */
  arguments?: Arguments
  /** With a rejection: why. */
  reason?: string
  /** With a rejection: what the assistant is to propose instead. */
  changes?: string
}

/** The outcome of a decision. */
export type Outcome =
  /** The server recorded the decision. */
  | { kind: 'decided', approval: Approval }
  /** The server counts it, and others have to approve, too: this is the approval that waits for them. */
  | { kind: 'changed', approval: Approval }
  /** Another window decided first, or the run ended. */
  | { kind: 'settled', approval: Approval }
  /** The state has changed: nothing was done, and this approval replaces the other. */
  | { kind: 'changed', approval: Approval }
  /** Nothing was done, and the call can no longer be done. */
  | { kind: 'impossible', why: Problem }
  /** The plan is not the one on the screen: the person has to approve this one. */
  | { kind: 'plan', plan: Plan }
  /** Another window has planned another edit since. */
  | { kind: 'stale' }

/** @returns the question with who may approve it */
export const readDetails = (id: string, signal?: AbortSignal): Promise<Schemas['ConfirmationDetails']> =>
  body(api.GET('/api/v1/agent/confirmations/{confirmation_id}', {
    params: { path: { confirmation_id: id } }, ...(signal && { signal })
  }))

export const readApproval = (id: string): Promise<Approval> => readDetails(id)

/** @returns every approval of the session, newest first */
export const readSession = async (session_id: string, cursor?: string): Promise<Approval[]> => {
  const params = { query: { status: 'all', limit: 100, session_id, cursor } } as const
  const { items, next_cursor: next } = await body(api.GET('/api/v1/agent/confirmations', { params }))
  return next === null ? items : [...items, ...await readSession(session_id, next)]
}

/** @returns the current approval, or the one that replaced it */
export const readLatest = async (approval: Approval): Promise<Approval> => {
  const now = await readApproval(approval.id)
  if (now.status !== 'closed' || now.tool_call_id === null) return now
  const all = await readSession(now.session_id)
  return all.find(({ tool_call_id: call }) => call === now.tool_call_id) ?? now
}

/** @returns the plan of the edited arguments. @throws Problem */
export const planEdit = (id: string, args: Arguments, signal: AbortSignal): Promise<Plan> =>
  body(api.POST('/api/v1/agent/confirmations/{confirmation_id}/plan', {
    params: { path: { confirmation_id: id } }, body: { arguments: args }, signal
  }))

/** The further members of a decision's problems, as the operation `confirm` describes them. */
interface Members {
  confirmation?: Omit<Approval, 'session_id' | 'run_id' | 'requested_at' | keyof typeof pending> | null
  plan?: Plan
}

const elsewhere = new Set(['confirmation_closed', 'confirmation_decided', 'confirmation_expired', 'stale_preview'])

const explain = async (approval: Approval, problem: Problem): Promise<Outcome> => {
  // The schema of a problem does not list further members.
  const { confirmation, plan } = (problem.body ?? {}) as Members
  if (problem.code === 'state_changed') {
    if (!confirmation) return { kind: 'impossible', why: problem }
    return { kind: 'changed', approval: { ...approval, ...pending, ...confirmation } }
  }
  if (problem.code === 'plan_required' && plan) return { kind: 'plan', plan }
  if (!elsewhere.has(problem.code)) throw problem
  const now = await readLatest(approval)
  if (now.status !== 'pending') return { kind: 'settled', approval: now }
  return now.id === approval.id ? { kind: 'stale' } : { kind: 'changed', approval: now }
}

/** @returns the outcome. @throws Problem when nothing was decided and a retry may succeed */
export const decide = async (approval: Approval, decision: Decision): Promise<Outcome> => {
  const { id: confirmation_id, session_id } = approval
  try {
    const { status, decided_at, confirmation_id: asked, ...standing } =
      await withConsent(approval, decision, (signature) =>
        body(api.POST('/api/v1/agent/confirm', { body: { session_id, confirmation_id, ...decision, signature } })))
    if (status === 'pending') {
      const { votes, waits_for } = standing
      const now = await readApproval(asked)
        .catch(() => ({ ...approval, id: asked, votes, waits_for, may_approve: false }))
      return { kind: 'changed', approval: now }
    }
    // The record has the edit; without the record the card still shows the decision.
    const decided = await readApproval(confirmation_id).catch(() => ({ ...approval, status, decided_at }))
    return { kind: 'decided', approval: decided }
  } catch (error) {
    return explain(approval, problemOf(error))
  }
}
