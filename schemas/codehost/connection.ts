import { Type, type Static } from '@sinclair/typebox'

export const Connection = Type.Object({
  account_id: Type.String({ description: 'The code host\'s numeric id of the person' }),
  login: Type.String()
}, { $id: 'CodehostConnection' })
export type Connection = Static<typeof Connection>
