import { body, Problem, type Schemas } from 'steward-client'
import { cardOf, type Approval } from './card.js'
import type { Context } from './command.js'
import type { Connection } from './connect.js'
import { exits, UsageError } from './exits.js'
import { oneLine } from './text.js'

/** What came of an approval: `left` waits for a decision still. */
export type Outcome = 'approved' | 'rejected' | 'counted' | 'left' | 'over' | 'interrupted'

/** How a command ends that has decided one. */
export const outcomeExits: Readonly<Record<Outcome, number>> = {
  approved: exits.done,
  rejected: exits.done,
  counted: exits.waits,
  left: exits.waits,
  over: exits.failed,
  interrupted: exits.interrupted
}

export type Answer = { approved: true } | { approved: false, reason?: string, changes?: string }

/** What is read before it is decided: everything, which an event of a stream may have cut. */
export const readApproval = ({ steward }: Connection, id: string): Promise<Approval> => body(
  steward.api.GET('/api/v1/agent/confirmations/{confirmation_id}', { params: { path: { confirmation_id: id } } }))

const pageOf = ({ connection }: Context, { id, steps }: Approval): string =>
  connection.page(steps === undefined ? `/inbox/${id}` : `/inbox/${id}/plan`)

/** @returns why this command cannot decide it for whoever runs it; undefined if it can */
const obstacleOf = async ({ connection }: Context, approval: Approval): Promise<string | undefined> => {
  if (await connection.mayApprove() === false) {
    return 'This sign-in reads and proposes, and cannot approve or reject: you have not let it, or it is marked for ' +
      'an assistant.'
  }
  if (approval.steps !== undefined) return `It is step ${approval.steps.step} of ${approval.steps.of} of a plan.`
  if (!approval.may_approve) {
    return `An approval of yours does not count; it waits for ${oneLine(approval.waits_for ?? 'nobody')}.`
  }
  const missing = approval.not_shown.find(({ surface }) => surface === 'terminal')?.missing
  if (missing) return `A terminal does not show all of it (${missing.join(', ')}), so it is not approved here.`
  return undefined
}

const leave = (context: Context, approval: Approval, why: string): Outcome => {
  context.terminal.note([why, `A person decides it in the browser: ${pageOf(context, approval)}`])
  return 'left'
}

/** @returns what the person answers to the card; undefined leaves it */
const askPerson = async ({ terminal }: Context): Promise<Answer | 'interrupted' | undefined> => {
  for (;;) {
    const answer = await terminal.question('Approve? (yes / no / later) ')
    if (answer === undefined) return 'interrupted'
    if (answer === 'yes') return { approved: true }
    if (answer === 'later') return undefined
    if (answer !== 'no') continue
    const reason = await terminal.question('Why not? (Enter for no reason) ')
    if (reason === undefined) return 'interrupted'
    return { approved: false, ...(reason !== '' && { reason: reason.slice(0, 1_000) }) }
  }
}

const report = ({ terminal }: Context, { status, missing, waits_for, already_decided }: Schemas['ConfirmResult']):
Outcome => {
  if (status === 'pending') {
    terminal.note(`Your approval counts; it waits for ${oneLine(waits_for ?? `${missing} more`)}.`)
    return 'counted'
  }
  terminal.note(`${status === 'approved' ? 'Approved' : 'Rejected'}${already_decided ? ' before' : ''}.`)
  return status
}

/** @returns the approval that a refusal asks to show instead; undefined when nothing is left to decide */
const nextOf = async ({ connection }: Context, { id }: Approval, problem: Problem): Promise<Approval | undefined> => {
  if (problem.code === 'stale_preview' || problem.code === 'plan_required') return readApproval(connection, id)
  if (problem.code !== 'state_changed') return undefined
  // A member of this code: the approval that replaces it, or null.
  const next = (problem.body as { confirmation?: { id: string } | null }).confirmation
  return next ? readApproval(connection, next.id) : undefined
}

const over = new Set(['state_changed', 'confirmation_decided', 'confirmation_closed', 'confirmation_expired'])

/** Sends a decision with the digest of what was shown. @returns what came of it, or the approval to show instead */
export const send = async (context: Context, approval: Approval, answer: Answer): Promise<Outcome | Approval> => {
  const { id: confirmation_id, session_id, input_digest } = approval
  const { api } = context.connection.steward
  try {
    return report(context, await body(api.POST('/api/v1/agent/confirm',
      { body: { session_id, confirmation_id, input_digest, ...answer } })))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const next = await nextOf(context, approval, error)
    if (next) return next
    if (over.has(error.code)) {
      context.terminal.note(`Nothing was done by this: ${oneLine(error.message)}`)
      return 'over'
    }
    const elsewhere = ['consent_signature_required', 'decided_as_steps', 'needs_other_approver', 'assistant_token',
      'insufficient_scope']
    if (elsewhere.includes(error.code)) return leave(context, approval, oneLine(error.message))
    throw error
  }
}

/**
 * Shows an approval, and what replaces it when its state changes meanwhile, until the person has decided or left it.
 * @param onShow is given each id that was shown
 */
export const decide = async (context: Context, first: Approval, onShow: (id: string) => void = () => {}):
Promise<Outcome> => {
  const { terminal } = context
  let approval = first
  for (;;) {
    onShow(approval.id)
    terminal.note(cardOf(terminal, approval))
    if (approval.status !== 'pending') {
      terminal.note(`It is ${approval.status}: nothing is left to decide.`)
      return 'over'
    }
    const obstacle = await obstacleOf(context, approval)
    if (obstacle !== undefined) return leave(context, approval, obstacle)
    if (!terminal.isInteractive) return leave(context, approval, 'No person is at this terminal to be asked.')
    const answer = await askPerson(context)
    if (answer === 'interrupted') return 'interrupted'
    if (answer === undefined) return 'left'
    const outcome = await send(context, approval, answer)
    if (typeof outcome === 'string') return outcome
    terminal.note(terminal.paint('The state has changed, and nothing was done. It would be this now:', 'yellow'))
    approval = outcome
  }
}

/** Decides what was read before, by its digest. @throws UsageError for another digest, and what is not shown whole */
export const decideUnseen = async (context: Context, approval: Approval, digest: string, answer: Answer):
Promise<Outcome> => {
  if (approval.input_digest !== digest) {
    throw new UsageError(`The digest is ${approval.input_digest} now: read steward inbox ${approval.id} again`)
  }
  const missing = approval.not_shown.some(({ surface }) => surface === 'terminal')
  if (answer.approved && missing) {
    return leave(context, approval, 'A terminal does not show all of it, so it is not approved here.')
  }
  const outcome = await send(context, approval, answer)
  if (typeof outcome === 'string') return outcome
  context.terminal.note([`Nothing was done: the state has changed. Read steward inbox ${outcome.id}`])
  return 'over'
}
