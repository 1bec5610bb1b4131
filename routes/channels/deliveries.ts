import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listDead, listDeliveries, type DeliveryRow } from '../../db/channels/deliveries.js'
import { listNames } from '../../lib/account/people.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Access } from '../../lib/security/principal.js'
import {
  ChannelDeliveries, DeliveryParams, ListChannelDeliveries, ListWorkspaceDeliveries, WorkspaceDeliveries,
  WorkspaceDeliveryParams, type ChannelDelivery, ChannelParams
} from '../../schemas/channels/channels.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { requireChannel, resend, resendAny } from './lib/change-channel.js'
import { ChannelNotFound, DeliveryNotFound, LinkOfAnother } from './lib/errors.js'
import { openLink } from './lib/notify-refused.js'

const reads: Access = { scope: 'account:read', role: 'viewer', owner: 'person' }
const writes: Access = { scope: 'account:write', role: 'viewer', owner: 'person' }
const tags = ['account']

const stateOf = ({ status, next_attempt_at: next }: DeliveryRow): ChannelDelivery['state'] => {
  if (status === 'dead') return 'dead'
  return next === null ? 'delivered' : 'waiting'
}

const show = (row: DeliveryRow): ChannelDelivery => ({ ...row, state: stateOf(row) })

const admins = { role: 'admin', owner: 'workspace' } as const

/** Of all people's channels: the admins', who see that something does not arrive, and not where it should. */
const ofWorkspace: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/account/deliveries', {
    config: { access: { scope: 'account:read', ...admins }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listDeadDeliveries',
      summary: 'What was given up, whoever should have heard it',
      description: 'For admins: what no channel of the workspace takes any more, newest first, for 30 days.',
      tags,
      querystring: ListWorkspaceDeliveries,
      response: { 200: WorkspaceDeliveries }
    }
  }, async ({ principal, query }) => {
    const page = await paginateById(app, { principal, list: 'dead-deliveries', query },
      (slice) => listDead(app.db, principal.workspace_id, slice))
    const names = await listNames(app.db, principal.workspace_id, page.items.map(({ user_id: id }) => id))
    const items = page.items.map(({ channel_kind: kind, channel_name: name, ...row }) => ({
      ...show(row), person: { id: row.user_id, name: names.get(row.user_id) ?? '' }, channel: { kind, name }
    }))
    return { ...page, items }
  })

  app.post('/account/deliveries/:delivery_id/resend', {
    config: { access: { scope: 'account:write', ...admins }, errors: [DeliveryNotFound] },
    schema: {
      operationId: 'resendDeadDelivery',
      summary: 'Send again what was given up, whoever should have heard it',
      description: 'For admins. It is tried as a new delivery is, from now on.',
      tags,
      params: WorkspaceDeliveryParams,
      response: { 204: Type.Null({ description: 'It waits to be sent' }) }
    }
  }, async ({ principal, params }, reply) => {
    await resendAny(app, principal, params.delivery_id)
    return reply.code(204).send(null)
  })

  app.post('/account/deliveries/:delivery_id/open', {
    config: {
      access: { ...writes, owner: 'workspace' },
      refuses: { link_of_another: 'it was sent to another person, and leads to what I may not see' },
      errors: [DeliveryNotFound, LinkOfAnother]
    },
    schema: {
      operationId: 'openDelivery',
      summary: 'Say that I have followed the link of a message',
      description: 'The page does. Who may not see what a link leads to that was sent to another is refused; the ' +
        'record has it, and that person is notified.',
      tags,
      params: WorkspaceDeliveryParams,
      response: { 204: Type.Null({ description: 'It was sent to me, or I may see what it leads to' }) }
    }
  }, async ({ principal, params }, reply) => {
    await openLink(app, principal, params.delivery_id)
    return reply.code(204).send(null)
  })
}

const deliveries: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/account/channels/:channel_id/deliveries', {
    config: { access: reads, errors: [InvalidCursor, ChannelNotFound] },
    schema: {
      operationId: 'listChannelDeliveries',
      summary: 'What a channel was sent',
      description: 'Newest first, for 30 days; `state=dead` lists what was given up.',
      tags,
      params: ChannelParams,
      querystring: ListChannelDeliveries,
      response: { 200: ChannelDeliveries }
    }
  }, async ({ principal, params: { channel_id: id }, query }) => {
    await requireChannel(app.db, principal, id)
    const page = await paginateById(app, { principal, list: 'channel-deliveries', filter: [id, query.state], query },
      (slice) => listDeliveries(app.db, principal.workspace_id, id, query.state === 'dead', slice))
    return { ...page, items: page.items.map(show) }
  })

  app.post('/account/channels/:channel_id/deliveries/:delivery_id/resend', {
    config: { access: writes, errors: [ChannelNotFound, DeliveryNotFound] },
    schema: {
      operationId: 'resendChannelDelivery',
      summary: 'Send again what was given up',
      description: 'It is tried as a new delivery is, from now on.',
      tags,
      params: DeliveryParams,
      response: { 204: Type.Null({ description: 'It waits to be sent' }) }
    }
  }, async ({ principal, params }, reply) => {
    await resend(app, principal, params.channel_id, params.delivery_id)
    return reply.code(204).send(null)
  })

  await app.register(ofWorkspace)
}

export default deliveries
