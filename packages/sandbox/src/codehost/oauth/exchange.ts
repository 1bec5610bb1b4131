import { createHash } from 'node:crypto'
import { SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET } from '../constants.js'
import type { Answer, Call } from '../core/operation.js'
import type { Token } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'

const refreshMs = 15_897_600_000

const descriptions: Record<string, string> = {
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  bad_refresh_token: 'The refresh token passed is incorrect or expired.',
  unsupported_grant_type: 'The grant type is not supported.'
}

/** Exchanges codes and refresh tokens for tokens. A refusal has status 200, as at the code host. */
export function exchange (call: Call): Answer {
  const fields = fieldsOf(call)
  const answer = decide(call.sandbox, fields)
  const body = 'error' in answer
    ? { ...answer, error_description: descriptions[answer.error], error_uri: 'https://docs.github.com' }
    : answer
  if (call.headers.accept?.includes('json')) return { status: 200, body }
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) form.set(name, String(value))
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  return { status: 200, body: form.toString(), headers }
}

function fieldsOf ({ body, query, headers }: Call): Record<string, string> {
  const sent = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const all = Object.fromEntries([...query, ...sent].map(([name, value]) => [name, String(value)]))
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return all
  const [client_id = '', client_secret = ''] =
    Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  return { client_id, client_secret, ...all }
}

type Decision = { error: string } | ReturnType<typeof describe>

function decide (sandbox: Sandbox, fields: Record<string, string>): Decision {
  const { client_id, client_secret, grant_type = 'authorization_code' } = fields
  if (client_id !== SANDBOX_CLIENT_ID || client_secret !== SANDBOX_CLIENT_SECRET) {
    return { error: 'incorrect_client_credentials' }
  }
  if (grant_type === 'refresh_token') return refresh(sandbox, fields.refresh_token ?? '')
  if (grant_type !== 'authorization_code') return { error: 'unsupported_grant_type' }
  return redeem(sandbox, fields)
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function redeem (sandbox: Sandbox, { code = '', redirect_uri, code_verifier }: Record<string, string>): Decision {
  const found = sandbox.codes.get(code)
  if (!found || found.expires_at <= sandbox.world.clock.now()) return { error: 'bad_verification_code' }
  if (redirect_uri !== undefined && redirect_uri !== found.redirect_uri) return { error: 'redirect_uri_mismatch' }
  sandbox.codes.delete(code)
  if (found.challenge === null ? sandbox.settings.require_pkce : challengeOf(code_verifier ?? '') !== found.challenge) {
    return { error: 'bad_verification_code' }
  }
  return describe(issueToken(sandbox, found.user_id, found.scopes), sandbox)
}

/** Using a refresh token revokes it and its access token. */
function refresh (sandbox: Sandbox, text: string): Decision {
  const old = [...sandbox.tokens.values()].find((token) => token.refresh === text)
  if (!old || (old.refresh_expires_at ?? 0) <= sandbox.world.clock.now()) return { error: 'bad_refresh_token' }
  sandbox.tokens.delete(old.token)
  return describe(issueToken(sandbox, old.user_id, old.scopes), sandbox)
}

function issueToken (sandbox: Sandbox, userId: number, scopes: string[]): Token {
  const { settings: { expiring_tokens, token_seconds }, world: { clock } } = sandbox
  const token: Token = {
    token: `${expiring_tokens ? 'ghu' : 'gho'}_${sandbox.random(36)}`,
    user_id: userId,
    scopes,
    client_id: SANDBOX_CLIENT_ID,
    expires_at: expiring_tokens ? clock.now() + token_seconds * 1000 : null,
    refresh: expiring_tokens ? `ghr_${sandbox.random(76)}` : null,
    refresh_expires_at: expiring_tokens ? clock.now() + refreshMs : null
  }
  sandbox.tokens.set(token.token, token)
  return token
}

function describe ({ token, scopes, expires_at, refresh }: Token, { settings }: Sandbox) {
  return {
    access_token: token,
    ...(expires_at !== null && {
      expires_in: settings.token_seconds,
      refresh_token: refresh,
      refresh_token_expires_in: refreshMs / 1000
    }),
    token_type: 'bearer',
    scope: scopes.join(',')
  }
}
