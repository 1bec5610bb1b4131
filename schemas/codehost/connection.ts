import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp } from '../common.js'

export const Connection = Type.Object({
  account_id: Type.String({ description: 'The code host\'s numeric id of the person' }),
  login: Type.String(),
  host: Type.String({ description: 'The web address of the code host' }),
  scopes: Type.Array(Type.String(), { description: 'What the code host said it allows; a GitHub App has none' }),
  connected_at: Nullable(Timestamp)
}, { $id: 'CodehostConnection' })
export type Connection = Static<typeof Connection>

export const Disconnection = Type.Object({
  account_id: Type.String(),
  login: Type.String(),
  revoked_upstream: Type.Boolean({
    description: 'false = nothing is kept here any more, but the code host did not confirm that it ended the token'
  }),
  revoke_url: Nullable(Type.String({ description: 'Where the person can end it there, when that is still to do' }))
}, { $id: 'CodehostDisconnection' })
export type Disconnection = Static<typeof Disconnection>
