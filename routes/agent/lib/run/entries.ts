import { v7 as uuid } from 'uuid'
import type { AuditEntry } from '../../../../db/audit.js'
import type { CallEnding, CallRow, ConfirmationRow, RecordedRow, RunCommit } from '../../../../db/agent/commit-run.js'
import { actorOf } from '../../../../lib/aws/sessions.js'
import type { Signed } from '../../../../lib/passkeys/take-signature.js'
import { fitBody } from '../../../../lib/record/fit-body.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import type { Target } from '../../../../schemas/agent/events.js'
import type { ConfirmRequest } from '../../../../schemas/agent/confirmations.js'
import type { OpenCall, RunState } from './run-state.js'

/** What the record says of a write that asks first; all entries of one call have its id. */

/** A signature as the record has it: with the plan whose digest is signed. */
export interface Consent extends Signed { plan: unknown }

type Key = { session_id: string, run_id: string }

const targetOf = (target: Target | null | undefined): string | null => target?.id.slice(0, 500) ?? null

/** The question of a budget is of no call. */
const writeOf = ({ id, tool_call_id }: Pick<ConfirmationRow, 'id' | 'tool_call_id'>): string => tool_call_id ?? id

/** @param modelRequest the model's request, as its provider names it, that led to the question */
export const askedEntry = (question: ConfirmationRow, { session_id, run_id }: Key, modelRequest?: string | null):
RecordedRow => {
  const { id, name, target, facts, summary, preview, risk, risk_reasons, input_digest, requirement } = question
  return {
    id: uuid(),
    kind: 'asked',
    write_id: writeOf(question),
    operation: name,
    target: targetOf(target),
    outcome: 'pending',
    status: null,
    body: fitBody({
      confirmation_id: id,
      session_id,
      run_id,
      replaces: question.replaces,
      plan: {
        summary,
        risk,
        risk_reasons,
        target,
        arguments: question.arguments,
        changes: preview,
        facts,
        digest: input_digest
      },
      requirement,
      expires_at: question.expires_at,
      model_request_id: modelRequest ?? null
    })
  }
}

/** The same for a question that is asked beside its run, which belongs to the actor. */
export const askedBeside = (question: ConfirmationRow, actor: Principal, key: Key, askedBy: unknown): AuditEntry => {
  const { body, ...row } = askedEntry(question, key)
  const { workspace_id, user_id } = actor
  return {
    ...row,
    workspace_id,
    user_id,
    via: 'assistant',
    via_id: key.run_id,
    remote_address: null,
    request_id: key.run_id,
    body: { ...body, asked_by: askedBy }
  }
}

interface Ends { id: string, status: string, http_status: number | null, result: unknown }

const endedEntry = (name: string, target: string | null, { id, status, http_status, result }: Ends,
  more: Record<string, unknown>): RecordedRow => ({
  id: uuid(),
  kind: 'ended',
  write_id: id,
  operation: name,
  target,
  outcome: status,
  status: http_status,
  body: fitBody({ ...more, result })
})

const ofEnding = (state: RunState, ending: CallEnding): RecordedRow[] => {
  const call = state.calls.find(({ id }) => id === ending.id)
  if (call?.effect !== 'write') return []
  const { session_id, run_id } = state.key
  const made = ending.made && { calls: ending.made }
  return [endedEntry(call.name, call.target ?? null, ending, { session_id, run_id, ...made })]
}

/** A write that was refused before anybody was asked: by a policy, a preference, or because it cannot be planned. */
const ofRefused = (state: RunState, call: CallRow): RecordedRow[] => {
  if (call.effect !== 'write' || call.result_model === null) return []
  const { session_id, run_id } = state.key
  return [endedEntry(call.name, null, call, { session_id, run_id, arguments: call.effective_input ?? call.input })]
}

/** @returns what a step of a run leaves in the record; a step that only reads, nothing */
export const entriesOf = (state: RunState, { confirmations, endings, calls, usage, recorded }:
Pick<RunCommit, 'confirmations' | 'endings' | 'calls' | 'usage' | 'recorded'>): RecordedRow[] => [
  ...recorded ?? [],
  ...confirmations?.map((question) => askedEntry(question, state.key, usage?.provider_request_id)) ?? [],
  ...endings?.flatMap((ending) => ofEnding(state, ending)) ?? [],
  ...calls?.flatMap((call) => ofRefused(state, call)) ?? []
]

/** What was found right before a write is sent. */
interface Allowed { plan: { target: Target | null }, requirement: Requirement }

/** What is sent, recorded with the claim: before it is on the wire. */
export const sentEntry = (state: RunState, call: OpenCall, { plan, requirement }: Allowed): AuditEntry => {
  const { question: confirmation_id, decided_by } = call
  const { workspace_id, user_id, session_id, run_id, epoch } = state.key
  return {
    workspace_id,
    user_id,
    via: 'assistant',
    via_id: run_id,
    kind: 'sent',
    write_id: call.id,
    operation: call.name,
    target: targetOf(plan.target),
    outcome: 'sent',
    status: null,
    remote_address: null,
    request_id: run_id,
    body: fitBody({
      session_id,
      run_id,
      epoch,
      arguments: call.effective_input,
      digest: call.input_digest,
      idempotency_key: call.idempotency_key,
      // By policies or a grant, nobody had to approve it.
      decided_by,
      requirement: decided_by?.startsWith('user:') ? requirement : null,
      // As whom the session of a role acts, and so what a provider's own log says.
      actor: actorOf({ ...state.principal, ...(confirmation_id !== undefined && { confirmation_id }) })
    })
  }
}

interface Decision {
  confirmation: Pick<ConfirmationRow, 'id' | 'tool_call_id' | 'name' | 'target' | 'requirement' | 'input_digest'> & Key
  /** What was approved instead of the question. */
  edited: { arguments: unknown, input_digest: string, preview: unknown } | undefined
  /** What the person has done; `edited`: changed it for others to approve, without an approval that counts. */
  outcome: 'approved' | 'rejected' | 'edited'
  /** What it makes of the question: `pending` where others have to approve it, too. */
  status: string
  /** How many still have to approve it. */
  missing: number
  /** Whose right to approve was used; null where nobody votes. */
  on_behalf_of: string | null
  /** The signature with which it was approved. */
  consent: Consent | undefined
}

/** As it was signed, to the letter: a signature has the form of a secret, and is none. */
const withConsent = (body: Record<string, unknown>, consent: Consent | undefined): Record<string, unknown> =>
  consent ? { ...body, consent } : body

/** One decision of one person; recorded with it. */
export const decidedEntry = (principal: Principal, body: ConfirmRequest, decision: Decision):
AuditEntry => {
  const { confirmation, edited, outcome, status, missing, on_behalf_of, consent } = decision
  const { workspace_id, user_id, via, via_id, origin } = principal
  return {
    workspace_id,
    user_id,
    via,
    via_id,
    kind: 'decided',
    write_id: writeOf(confirmation),
    operation: confirmation.name,
    target: targetOf(confirmation.target),
    outcome,
    status: null,
    remote_address: origin?.remote_address ?? null,
    request_id: origin?.request_id ?? confirmation.id,
    body: withConsent(fitBody({
      confirmation_id: confirmation.id,
      session_id: confirmation.session_id,
      run_id: confirmation.run_id,
      digest: edited?.input_digest ?? confirmation.input_digest,
      reason: body.reason ?? null,
      ...(principal.channel !== undefined && { channel: principal.channel }),
      ...(body.changes !== undefined && { changes_requested: body.changes }),
      question: { status, missing },
      on_behalf_of: on_behalf_of === user_id ? null : on_behalf_of,
      edited: edited && { arguments: edited.arguments, changes: edited.preview },
      requirement: confirmation.requirement
    }), consent)
  }
}
