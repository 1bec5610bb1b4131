import { Type } from '@sinclair/typebox'
import { SANDBOX_CLIENT_ID } from '../constants.js'
import { notFound } from '../core/errors.js'
import { operation, readBody, type Call } from '../core/operation.js'
import type { Token } from '../core/world.js'

const Body = Type.Object({ access_token: Type.String() })

function tokenOf (call: Call): Token {
  const { access_token } = readBody(call, Body)
  const token = call.sandbox.tokens.get(access_token)
  if (!token || call.params.client_id !== SANDBOX_CLIENT_ID) throw notFound()
  return token
}

function deleteToken (call: Call) {
  call.sandbox.tokens.delete(tokenOf(call).token)
  return { status: 204 }
}

/** Revokes every token that the user gave this application. */
function deleteGrant (call: Call) {
  const { user_id } = tokenOf(call)
  for (const [text, token] of call.sandbox.tokens) {
    if (token.user_id === user_id && token.client_id === SANDBOX_CLIENT_ID) call.sandbox.tokens.delete(text)
  }
  return { status: 204 }
}

export const applicationOperations = [
  operation('deleteToken', 'DELETE', '/applications/{client_id}/token', deleteToken, { auth: 'client' }),
  operation('deleteGrant', 'DELETE', '/applications/{client_id}/grant', deleteGrant, { auth: 'client' })
]
