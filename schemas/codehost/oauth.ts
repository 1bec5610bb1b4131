import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from '../common.js'

export const SignInOffer = Type.Object({
  available: Type.Boolean({ description: 'Whether a browser can sign in with the code host' }),
  name: Nullable(Type.String({ description: 'What a page calls it; null = there is none' })),
  sandboxed: Type.Boolean({ description: 'The sandbox answers; its users have no passwords' })
}, { $id: 'CodehostSignInOffer' })

export const BeginAuthorization = Type.Object({
  mode: Words(['login', 'link'], {
    default: 'login', description: 'login = sign in with the code host; link = connect whoever is signed in'
  }),
  return_to: Type.Optional(Type.String({
    maxLength: 2000, description: 'A path of this site to go to afterwards, such as /setup'
  }))
})
export type BeginAuthorization = Static<typeof BeginAuthorization>

export const ConnectCodehost = Type.Object({
  return_to: Type.Optional(Type.String({
    maxLength: 2000, description: 'A path of this site to go to afterwards, such as /settings/connections'
  }))
}, { $id: 'ConnectCodehost', additionalProperties: false })

export const ConnectingCodehost = Type.Object({ url: Type.String({ description: 'Where the browser goes' }) },
  { $id: 'ConnectingCodehost' })

export const EndAuthorization = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 2000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  error: Type.Optional(Type.String({ maxLength: 200 }))
}, { description: 'What the code host sends the browser with; it may say more' })
export type EndAuthorization = Static<typeof EndAuthorization>
