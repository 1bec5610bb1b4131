import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteChannel } from '../../db/channels/channels.js'
import type { Access } from '../../lib/security/principal.js'
import {
  AddChannel, AddedChannel, Channel, ChannelParams, Channels, ConfirmChannel, UpdateChannel, ChannelTest
} from '../../schemas/channels/channels.js'
import {
  addChannel, changeChannel, confirmChannel, requireChannel, showChannel, showChannels, sendTest
} from './lib/change-channel.js'
import {
  ChannelInvalid, ChannelNotConfigured, ChannelNotFound, ChannelUnconfirmed, CodeInvalid, TooManyChannels
} from './lib/errors.js'

const reads: Access = { scope: 'account:read', role: 'viewer', owner: 'person' }
const writes: Access = { scope: 'account:write', role: 'viewer', owner: 'person' }
const tags = ['account']

const proof: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/account/channels/:channel_id/confirm', {
    config: { access: writes, errors: [ChannelNotFound, CodeInvalid] },
    schema: {
      operationId: 'confirmChannel',
      summary: 'Show that an address is mine',
      description: 'With the code that was mailed there, within ten minutes and five tries.',
      tags,
      params: ChannelParams,
      body: ConfirmChannel,
      response: { 200: Channel }
    }
  }, async ({ principal, params: { channel_id: id }, body }) => {
    await confirmChannel(app, principal, id, body.code)
    return showChannel(app, await requireChannel(app.db, principal, id))
  })

  app.post('/account/channels/:channel_id/test', {
    config: { access: writes, errors: [ChannelNotFound, ChannelUnconfirmed] },
    schema: {
      operationId: 'testChannel',
      summary: 'Send a test to a channel',
      description: 'One message that says that it is a test, now; and whether it was taken.',
      tags,
      params: ChannelParams,
      response: { 200: ChannelTest }
    }
  }, ({ principal, params }) => sendTest(app, principal, params.channel_id))
}

const channels: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/account/channels', {
    config: { access: { ...reads, owner: 'workspace' } },
    schema: {
      operationId: 'listChannels',
      summary: 'Where I hear of what happens',
      description: 'My channels: what each hears of, its quiet hours and digest, and what keeps it from sending.',
      tags,
      response: { 200: Channels }
    }
  }, ({ principal }) => showChannels(app, principal))

  app.post('/account/channels', {
    config: {
      access: { ...writes, owner: 'workspace' },
      encrypted: true,
      errors: [ChannelInvalid, ChannelNotConfigured, TooManyChannels]
    },
    schema: {
      operationId: 'addChannel',
      summary: 'Hear of what happens somewhere',
      description: 'By a signed webhook (Standard Webhooks), by e-mail after the code that is mailed was shown ' +
        '(confirmChannel), in Slack after the code of the answer was sent there, or by web push to a browser.',
      tags,
      body: AddChannel,
      response: { 201: AddedChannel }
    }
  }, async ({ principal, body }, reply) => {
    const { id, ...shown } = await addChannel(app, principal, body)
    reply.code(201).header('cache-control', 'no-store')
    return { channel: showChannel(app, await requireChannel(app.db, principal, id)), ...shown }
  })

  app.patch('/account/channels/:channel_id', {
    config: { access: writes, errors: [ChannelNotFound, ChannelInvalid] },
    schema: {
      operationId: 'updateChannel',
      summary: 'Change a channel',
      description: 'What is not named stays. An address is not changed: add another channel.',
      tags,
      params: ChannelParams,
      body: UpdateChannel,
      response: { 200: Channel }
    }
  }, async ({ principal, params: { channel_id: id }, body }) => {
    await changeChannel(app, principal, id, body)
    return showChannel(app, await requireChannel(app.db, principal, id))
  })

  app.delete('/account/channels/:channel_id', {
    config: { access: writes, errors: [ChannelNotFound] },
    schema: {
      operationId: 'removeChannel',
      summary: 'Hear nothing there any more',
      description: 'With its secret and what was not delivered. A linked Slack account is unlinked.',
      tags,
      params: ChannelParams,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async ({ principal, params: { channel_id: id } }, reply) => {
    await requireChannel(app.db, principal, id)
    await deleteChannel(app.db, principal.workspace_id, id)
    return reply.code(204).send(null)
  })

  await app.register(proof)
}

export default channels
