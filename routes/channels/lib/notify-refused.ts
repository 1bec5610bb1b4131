import { insertAudit } from '../../../db/audit.js'
import { listOpenChannels } from '../../../db/channels/channels.js'
import { findDelivery, insertDeliveries, listAsked, type NewDelivery } from '../../../db/channels/deliveries.js'
import { listNames } from '../../../lib/account/people.js'
import { enqueueDue } from '../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { Facts, RefusedAttempt, Origin } from '../../../schemas/channels/channels.js'
import { principalOf, readQuestion } from './as-person.js'
import { dayId, idOf } from './find-events.js'
import { deliveryKind } from './deliver.js'
import type { Deps } from './deps.js'
import { DeliveryNotFound, LinkOfAnother, SlackSignatureInvalid } from './errors.js'

interface Notice { channel_id: string, user_id: string, subject_id: string, facts: Facts }

/** Of one subject a channel is notified once, however often it is tried. @returns whether any was */
const notify = async (deps: Deps, workspaceId: string, notices: readonly Notice[]): Promise<boolean> => {
  const rows = notices.map((one): NewDelivery => ({ ...one, event: 'refused', wanted: 'refused' }))
  const keys = await insertDeliveries(deps.db, workspaceId, rows)
  for (const key of keys) await enqueueDue(deps, deliveryKind, key)
  return keys.length > 0
}

const titles = {
  read: 'opened a link that was sent to you, without the right to what it leads to',
  decide: 'tried to decide what was sent to you, without the right to it'
}

/** One person's attempts at one question are one subject for whoever was sent it. */
const toNotice = ({ user_id: whose, channel_id }: Pick<Notice, 'user_id' | 'channel_id'>, name: string,
  { confirmation_id: id, user_id: who, how }: Pick<RefusedAttempt, 'confirmation_id' | 'user_id' | 'how'>): Notice => ({
  channel_id,
  user_id: whose,
  subject_id: idOf(`refused_${how}`, id, who),
  facts: {
    title: `${name} ${titles[how]}`.slice(0, 300),
    detail: 'They saw nothing, and decided nothing. Did you forward it? If not, report it to an admin.',
    path: `/inbox/${id}`
  }
})

/**
 * A person has followed the link of a message. Whoever may see the question may have it from anybody.
 * @throws link_of_another for one who may not: the answer is in the record, and the person of the link is notified
 */
export const openLink = async (deps: Deps, principal: Principal, id: string): Promise<void> => {
  const { workspace_id: workspaceId, user_id: userId, name } = principal
  const row = await findDelivery(deps.db, workspaceId, id)
  if (!row) throw DeliveryNotFound()
  if (row.event !== 'asked' || row.user_id === userId || await readQuestion(deps, principal, row.subject_id)) return
  const attempt = { confirmation_id: row.subject_id, user_id: userId, how: 'read' } as const
  await notify(deps, workspaceId, [toNotice(row, name, attempt)])
  throw LinkOfAnother()
}

/** A read leaves no entry by itself; the first that is refused of a person and a question does. */
const recordRead = async (deps: Deps, attempt: RefusedAttempt): Promise<void> => {
  const { workspace_id, user_id, confirmation_id: target, origin } = attempt
  const refused = { operation: 'getConfirmation', target, outcome: 'confirmation_not_found', status: 404 }
  await insertAudit(deps.db, { workspace_id, user_id, via: 'system', ...refused, ...origin })
  deps.unnumbered.soon(workspace_id)
}

/**
 * A person was refused a question, used straight by its id. Which message they have it from nobody knows: everybody is
 * notified who was sent one. Who was sent one themselves has lost the right since, which is no attempt.
 */
export const noteAttempt = async (deps: Deps, attempt: RefusedAttempt): Promise<void> => {
  const { workspace_id: workspaceId, user_id: who, confirmation_id: id, how } = attempt
  const asked = await listAsked(deps.db, workspaceId, id)
  if (asked.length === 0 || asked.some(({ user_id }) => user_id === who)) return
  const name = (await listNames(deps.db, workspaceId, [who])).get(who) ?? 'Somebody'
  const isNew = await notify(deps, workspaceId, asked.map((row) => toNotice(row, name, attempt)))
  if (isNew && how === 'read') await recordRead(deps, attempt)
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
