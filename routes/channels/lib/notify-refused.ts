import { insertAudit } from '../../../db/audit.js'
import { listOpenChannels } from '../../../db/channels/channels.js'
import { findDelivery, insertDeliveries, type NewDelivery } from '../../../db/channels/deliveries.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Facts } from '../../../schemas/channels/deliveries.js'
import type { Origin } from '../../../schemas/channels/slack.js'
import { principalOf, readQuestion } from './as-person.js'
import { dayId } from './day-id.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import { DeliveryNotFound, LinkOfAnother, SlackSignatureInvalid } from './errors.js'

interface Notice { channel_id: string, user_id: string, subject_id: string, facts: Facts }

/** Of one subject a channel is notified once, however often it is tried. */
const notify = async (deps: Deps, workspaceId: string, notices: readonly Notice[]): Promise<void> => {
  const rows = notices.map((one): NewDelivery => ({ ...one, event: 'refused', wanted: 'refused' }))
  for (const key of await insertDeliveries(deps.db, workspaceId, rows)) await enqueueDue(deps, deliveryKind, key)
}

/**
 * A person has followed the link of a message. Whoever may see the question may have it from anybody.
 * @throws link_of_another for one who may not: the answer is in the record, and the person of the link is notified
 */
export const openLink = async (deps: Deps, principal: Principal, id: string): Promise<void> => {
  const { workspace_id: workspaceId, user_id: userId, name } = principal
  const row = await findDelivery(deps.db, workspaceId, id)
  if (!row) throw DeliveryNotFound()
  if (row.event !== 'asked' || row.user_id === userId || await readQuestion(deps, principal, row.subject_id)) return
  await notify(deps, workspaceId, [{
    channel_id: row.channel_id,
    user_id: row.user_id,
    subject_id: row.id,
    facts: {
      title: `${name} opened a link that was sent to you, without the right to what it leads to`.slice(0, 300),
      detail: 'They saw nothing, and decided nothing. Did you forward it? If not, tell an admin.',
      path: `/inbox/${row.subject_id}`
    }
  }])
  throw LinkOfAnother()
}

const listAdminChannels = async (deps: Deps, workspaceId: string) => {
  const channels = await listOpenChannels(deps.db, workspaceId)
  const people = [...new Set(channels.map(({ user_id: id }) => id))]
  const principals = await Promise.all(people.map((id) => principalOf(deps, workspaceId, id)))
  const admins = new Set(principals.flatMap((one) => one?.role === 'admin' ? [one.user_id] : []))
  return channels.filter(({ user_id: id }) => admins.has(id))
}

/**
 * A request in the name of Slack had another signature, or an old one. Nothing of it is believed, so it names nobody:
 * the record has from where it came, and the admins of the first workspace are notified once a day.
 */
export const noteForged = async (deps: Deps, operation: string, origin: Origin): Promise<void> => {
  const { workspace_id: workspaceId } = deps.home
  await insertAudit(deps.db, {
    workspace_id: workspaceId,
    user_id: null,
    via: 'system',
    operation,
    target: null,
    outcome: SlackSignatureInvalid.code,
    status: 401,
    ...origin
  })
  deps.unnumbered.soon(workspaceId)
  const subject = dayId('forged_slack', deps.home.workspace_id, new Date().toISOString().slice(0, 10))
  const facts = {
    title: 'Requests in the name of Slack were refused: they had no valid signature',
    detail: `The first of today came from ${origin.remote_address}. The record has all of them. ` +
      'If clicks of people are refused, SLACK_SIGNING_SECRET is not the one of the app.',
    path: '/settings/record'
  }
  await notify(deps, workspaceId, (await listAdminChannels(deps, workspaceId)).map(({ id, user_id }) =>
    ({ channel_id: id, user_id, subject_id: subject, facts })))
}
