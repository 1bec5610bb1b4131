import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InviteAccount, InvitedAccount } from '../../schemas/codehost/connection.js'
import { accessFor, CodehostAccountTaken, codehostErrors, CodehostNotFound } from './lib/access.js'
import { inviteAccount } from './lib/accounts/connection.js'

const invitations: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/invitations', {
    config: {
      access: { scope: 'account:write', role: 'admin' },
      ungated: 'it lets a person in, as createUser does',
      refuses: { insufficient_scope: 'a token with scopes cannot invite: the invited person has no limit of scopes' },
      errors: [...codehostErrors, CodehostNotFound, CodehostAccountTaken]
    },
    schema: {
      operationId: 'inviteCodehostAccount',
      summary: 'Invite a person by their account of the code host',
      description: 'For admins, not through an API token with scopes: makes a user who signs in with that account, ' +
        'whatever it is called later. Needs no rule that lets them in.',
      tags: ['codehost'],
      body: InviteAccount,
      response: { 201: InvitedAccount }
    }
  }, async ({ principal, body }, reply) => {
    const invited = await inviteAccount(principal, await accessFor(app, principal), app.codehostGrants.host, body)
    reply.code(201).header('location', `/account/users/${invited.user.id}`)
    return invited
  })
}

export default invitations
