import { notFound, Refusal } from '../core/errors.js'
import type { Answer, Call, Operation } from '../core/operation.js'
import type { Account } from '../core/world.js'
import type { WireRequest } from '../../wire.js'
import type { Sandbox } from '../sandbox.js'
import { spoil, spoilt } from './spoil.js'
import type { Fault } from './faults.js'
import { matchOperation } from './catalog.js'
import { identify } from './identity.js'
import { finish, type Outcome } from './respond.js'

function readRequestBody ({ headers, body }: WireRequest): unknown {
  if (body.length === 0) return undefined
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body.toString()))
  }
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Refusal(400, 'Problems parsing JSON')
  }
}

/** Answers one request, or breaks the response if a fault is armed. */
export async function dispatch (sandbox: Sandbox, request: WireRequest): Promise<Outcome> {
  const { method, headers } = request
  const origin = `http://${headers.host}`
  const url = new URL(request.url, origin)
  const match = matchOperation(method, url.pathname)
  const name = match?.operation.name ?? 'unknown'
  const bearer = headers.authorization?.replace(/^(bearer|token) +/i, '')
  const held = bearer === undefined ? undefined : sandbox.tokens.get(bearer)
  const user = held && sandbox.world.accounts.get(held.user_id)
  const entry = sandbox.journal.add({
    at: sandbox.world.clock.iso(),
    operation: name,
    method,
    path: url.pathname,
    query: queryWithoutSecrets(url),
    login: user?.login ?? null,
    token: bearer?.slice(0, 8) ?? null,
    conditional: headers['if-none-match'] !== undefined,
    body: withoutSecrets(request)
  })
  const fault = sandbox.faults.take(name, `${url.pathname}${url.search} ${user?.login ?? ''}`)
  entry.fault = fault?.kind ?? null
  const call: Call = {
    sandbox,
    method,
    path: url.pathname.replace(/^\/api\/v3/, ''),
    params: match?.params ?? {},
    query: url.searchParams,
    headers,
    body: undefined,
    origin,
    token: held,
    user
  }
  const outcome = await carryOut(call, request, match?.operation, fault)
  entry.status = 'silence' in outcome ? null : outcome.status
  return outcome
}

async function carryOut (call: Call, request: WireRequest, operation: Operation | undefined, fault: Fault | undefined) {
  const early = fault && !fault.executed ? spoil(call, fault) : undefined
  if (early) return early
  const answer = await answerOf(call, request, operation)
  const late = fault?.executed ? spoil(call, fault) : undefined
  if (late) return late
  return spoilt(finish(call, operation, answer), fault)
}

async function answerOf (call: Call, request: WireRequest, operation: Operation | undefined): Promise<Answer> {
  try {
    if (!operation) throw notFound()
    const token = identify(call.sandbox, call.headers.authorization, operation.auth)
    const user: Account | undefined = token && call.sandbox.world.accounts.get(token.user_id)
    return await operation.run({ ...call, token, user, body: readRequestBody(request) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: error.body, headers: error.headers }
  }
}

const secret = /secret|token|code|verifier/

/** @returns the query for the journal, without the code and the state of a sign-in, which grant the session */
const queryWithoutSecrets = ({ pathname, search, searchParams }: URL): string => {
  if (!pathname.startsWith('/login/')) return search.slice(1)
  const shown = [...searchParams].map(([name, value]): [string, string] =>
    [name, name === 'state' || secret.test(name) ? '…' : value])
  return new URLSearchParams(shown).toString()
}

/** @returns the sent fields for the journal, without the values of secret ones */
function withoutSecrets (request: WireRequest): unknown {
  try {
    const body = readRequestBody(request)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    return Object.fromEntries(Object.entries(body)
      .map(([name, value]) => [name, secret.test(name) ? '…' : value]))
  } catch {
    return null
  }
}
