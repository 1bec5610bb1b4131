import { insertAudit } from '../../../db/audit.js'
import { findLinked, linkByCode } from '../../../db/channels/channels.js'
import { deleteClick, dueClicks, insertClick, putOffClick, type ClickRow } from '../../../db/channels/clicks.js'
import { refreshCards } from '../../../db/channels/deliveries.js'
import { enqueueDue, type DueKind } from '../../../lib/durable/due-jobs.js'
import { callRoute } from '../../../lib/http/call-route.js'
import type { ButtonValue, Click, Origin } from '../../../schemas/channels/channels.js'
import { messageOf, fieldsOf, textIn } from '../../../schemas/unknown.js'
import { principalOf } from './as-person.js'
import { hashCode } from './change-channel.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import { SlackSignatureInvalid } from './errors.js'
import { findEvents } from './find-events.js'
import { whisper } from './send/send-slack.js'

/**
 * A click that was taken before arrived again and was refused. Slack did sign it, so its person can be named: the
 * record has it, and they are notified. Of a forged one nothing is believed, the name neither.
 */
export const noteReplay = async (deps: Deps, click: Click): Promise<void> => {
  const { value: { workspace_id: workspaceId, confirmation_id: target }, address, origin } = click
  const linked = await findLinked(deps.db, workspaceId, address)
  if (!linked) return
  await insertAudit(deps.db, {
    workspace_id: workspaceId,
    user_id: linked.user_id,
    via: 'browser',
    operation: 'receiveSlackInteraction',
    target,
    outcome: SlackSignatureInvalid.code,
    status: 401,
    ...origin
  })
  deps.unnumbered.soon(workspaceId)
  await whisper(deps, click, 'A click of yours arrived a second time, which Slack does not do. It was refused.')
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readValue = (text: string): ButtonValue | undefined => {
  const value = parse(text)
  const [workspace_id = '', session_id = '', confirmation_id = '', input_digest = ''] =
    ['workspace_id', 'session_id', 'confirmation_id', 'input_digest'].map((name) => textIn(value, name))
  const isWhole = [workspace_id, session_id, confirmation_id].every((id) => uuidPattern.test(id))
  return isWhole ? { workspace_id, session_id, confirmation_id, input_digest } : undefined
}

/** @returns a click on a button that decides; undefined for anything else, such as the link to the page */
export const readClick = (payload: string, origin: Origin): Click | undefined => {
  const { type, user, team, container, actions } = fieldsOf(parse(payload))
  const [action] = Array.isArray(actions) ? actions : []
  const [id, value] = [textIn(action, 'action_id'), readValue(textIn(action, 'value') ?? '')]
  if (type !== 'block_actions' || !value || (id !== 'approve' && id !== 'reject')) return undefined
  const userId = textIn(user, 'id') ?? ''
  const teamId = textIn(user, 'team_id') ?? textIn(team, 'id') ?? ''
  const channel = textIn(container, 'channel_id') ?? ''
  return { address: `${teamId}:${userId}`, user: userId, channel, approved: id === 'approve', value, origin }
}

const resultText = (status: number, body: Record<string, unknown>): string => {
  if (status >= 300) return `Nothing was decided: ${String(body.title)}. ${String(body.detail ?? '')}`
  if (body.status === 'pending') return `Your approval counts; it waits for ${String(body.waits_for ?? 'others')}.`
  const isRepeated = body.already_decided === true
  return isRepeated ? `It was ${String(body.status)} already.` : `You have ${String(body.status)} it.`
}

/** The same operation as in the browser decides, with the rights of now and the plan that the card has shown. */
const decide = async (deps: Deps, { address, approved, value, origin }: Click): Promise<string> => {
  const { workspace_id: workspaceId, ...question } = value
  const linked = await findLinked(deps.db, workspaceId, address)
  const principal = linked && await principalOf(deps, workspaceId, linked.user_id)
  if (!principal) {
    deps.log.warn({ workspace_id: workspaceId, ...origin }, 'a click in Slack by an account that is not linked')
    return 'Nothing was decided: this Slack account is not linked in Steward.'
  }
  const call = { method: 'POST', url: '/api/v1/agent/confirm', payload: { ...question, approved } }
  const { status, body } = await callRoute(deps, { ...principal, channel: 'slack', origin }, call)
  return resultText(status, body)
}

/** Decides, answers whoever clicked, and has all cards show it. */
const take = async (deps: Deps, click: Click): Promise<void> => {
  const { workspace_id: workspaceId, confirmation_id: id } = click.value
  const text = await decide(deps, click)
  await whisper(deps, click, text)
  for (const key of await refreshCards(deps.db, workspaceId, id)) await enqueueDue(deps, deliveryKind, key)
  await findEvents(deps, workspaceId, true)
}

const mostAttempts = 5
const pauseSeconds = 5

const takeRow = async (deps: Deps, row: ClickRow): Promise<number | undefined> => {
  try {
    await take(deps, row.click)
  } catch (error) {
    deps.log.warn({ reason: messageOf(error), click_id: row.id }, 'a click was not taken')
    if (row.attempts < mostAttempts) return putOffClick(deps.db, row, pauseSeconds * row.attempts)
    await whisper(deps, row.click, 'Steward could not take your click: please decide on the page.')
  }
  await deleteClick(deps.db, row)
  return undefined
}

/**
 * How jobs take clicks. Slack shows an error after three seconds, so a click is acknowledged when it is stored. To take
 * one twice does no harm: the question is decided once, and says the second time how.
 */
export const clickKind: DueKind<ClickRow, Deps> = {
  job: 'channels.take-click',
  sweepJob: 'channels.sweep-clicks',
  idName: 'click_id',
  rows: dueClicks,
  run: takeRow
}

/** Keeps a click, which a job takes. */
export const keepClick = async (deps: Deps, click: Click): Promise<void> =>
  enqueueDue(deps, clickKind, await insertClick(deps.db, deps.home.workspace_id, click))

/** @returns what is shown to whoever sent the code, and to no one else */
export const takeCode = async (deps: Deps, code: string, address: string): Promise<string> => {
  const linked = await linkByCode(deps.db, hashCode(code), address)
  return linked
    ? 'This Slack account is linked: approvals come here from now on.'
    : 'That is not a code, or no longer. Add Slack in the settings of Steward, and say `/steward CODE` here.'
}
