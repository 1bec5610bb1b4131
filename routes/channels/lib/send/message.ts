import type { DeliveryRow } from '../../../../db/channels/deliveries.js'
import { pageUrl } from '../../../../lib/http/addresses.js'
import type { ConfirmationDetails } from '../../../../schemas/agent/confirmations.js'
import type { PreviewRow } from '../../../../schemas/agent/events.js'
import { listToDecide, principalOf, readQuestion } from '../as-person.js'
import type { Deps } from '../deps.js'

/** What a channel says, in its own form. */
export interface Message {
  /** The same for a repetition. */
  id: string
  type: string
  title: string
  lines: string[]
  url: string
  question?: ConfirmationDetails
}

/** The lines of a value are marked, so that none of them looks like a line of the message. */
const quote = (text: string): string => text.replaceAll('\n', '\n  | ')

/** The texts of a plan are escaped already, but for the ends of their lines. */
const rowLine = ({ label, before, after }: PreviewRow): string =>
  quote(before === null ? `${label}: ${after ?? 'nothing'}` : `${label}: ${before} → ${after ?? 'nothing'}`)

const mostRows = 20

const ends: Record<string, string> = {
  approved: 'Approved', rejected: 'Rejected', expired: 'Expired', closed: 'No longer asked'
}

/** @returns what became of a question, and by whom */
export const endOf = ({ status, decided_by: by }: Pick<ConfirmationDetails, 'status' | 'decided_by'>): string =>
  `${ends[status] ?? status}${by ? ` by ${by.name}` : ''}`

const ofQuestion = (id: string, url: string, question: ConfirmationDetails): Message => {
  const isOpen = question.status === 'pending'
  const left = question.preview.length - mostRows
  return {
    id: `${id}_${question.status}`,
    type: isOpen ? 'approval.asked' : 'approval.ended',
    title: `${isOpen ? 'Approval asked' : endOf(question)}: ${question.summary}`,
    lines: [
      `${question.requested_by.name} asks; risk: ${question.risk}`,
      ...question.preview.slice(0, mostRows).map(rowLine),
      ...(left > 0 ? [`and ${left} more`] : []),
      ...(isOpen && question.waits_for ? [`Waits for ${question.waits_for}`] : [])
    ],
    url,
    question
  }
}

const types: Partial<Record<DeliveryRow['event'], string>> = {
  run_ended: 'run.ended',
  deployment_failed: 'deployment.failed',
  budget_low: 'budget.low',
  refused: 'attempt.refused',
  review: 'review',
  test: 'test'
}

const composeDigest = async (deps: Deps, row: DeliveryRow): Promise<Message | undefined> => {
  const principal = await principalOf(deps, row.workspace_id, row.user_id)
  const waiting = principal ? await listToDecide(deps, principal) : []
  if (waiting.length === 0) return undefined
  return {
    id: row.id,
    type: 'digest',
    title: waiting.length === 1 ? 'One approval waits for you' : `${waiting.length} approvals wait for you`,
    lines: waiting.slice(0, mostRows).map(({ summary, risk, requested_by: by }) => `${summary} (${by.name}, ${risk})`),
    url: pageUrl(deps, row.workspace_id, '/inbox')
  }
}

/** @returns what there is to say by now; undefined = nothing any more */
export const compose = async (deps: Deps, row: DeliveryRow): Promise<Message | undefined> => {
  if (row.event === 'digest') return composeDigest(deps, row)
  if (row.event !== 'asked') {
    const { title = 'This is a test', detail, path = '/settings/channels' } = row.facts
    const lines = detail ? [detail] : []
    return { id: row.id, type: types[row.event] ?? row.event, title, lines, url: pageUrl(deps, row.workspace_id, path) }
  }
  const principal = await principalOf(deps, row.workspace_id, row.user_id)
  const question = principal && await readQuestion(deps, principal, row.subject_id)
  // Whoever was notified sees how it ended; whoever was not needs no message any more.
  const isNotified = row.shown !== null || row.sending_since !== null
  if (!question || (!isNotified && question.status !== 'pending')) return undefined
  return ofQuestion(row.id, pageUrl(deps, row.workspace_id, `/inbox/${question.id}`), question)
}

export type Ref = DeliveryRow['ref']

/** Delivered, or why not. `isRefused`: it will not be taken later either. */
export type Sent = { ok: true, ref: Ref } | { ok: false, error: string, isRefused: boolean, afterSeconds?: number }
