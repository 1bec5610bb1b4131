import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Credentials } from '../db/account/users.js'
import type { SessionOwner } from '../db/account/principals.js'
import { findOrCreateWorkspace, type Home } from '../db/account/workspace.js'
import type { Resource } from '../schemas/account/assistants.js'
import { approvals } from '../schemas/account/scopes.js'
import {
  ApiError, AssistantToken, InsufficientRole, InsufficientScope, TokenExpired, TokenRevoked,
  Unauthenticated
} from '../schemas/errors.js'
import { highestRole } from '../lib/access/require-access.js'
import { cookieName, idleSeconds } from '../lib/security/browser-session.js'
import { requireOwnSite, safeMethods } from '../lib/security/requests.js'
import { RefusedCredentials } from '../lib/security/refused-credentials.js'
import { onShareOf } from '../lib/processes/share.js'
import {
  hasRole, hasScope, roleNeeded, ticketHeader, type Access, type Ownership, type Principal
} from '../lib/security/principal.js'
import { sameToken, keyOfToken } from '../lib/security/tokens.js'

/** What asks for approval does not act beside it: whatever its scopes are, its owner's role, and the operation. */
const requireNoAssistant = ({ principal, method, routeOptions: { config } }: FastifyRequest) => {
  if (!principal.assistant || safeMethods.has(method) || config.assistant === true) return
  if (config.assistant === 'approving' && principal.scopes?.includes(approvals)) return
  throw AssistantToken(config.tool
    ? 'Propose it with POST /api/v1/agent/tool-calls or over /mcp: a person decides, and then it is done'
    : 'It cannot be proposed either: a person does it, in the browser or with a token that is not marked')
}

/** What the request touches is checked where it is looked up, for the role that is kept here. */
const requireRole = (principal: Principal, { role, on }: Access) => {
  principal.needs = role
  const needed = roleNeeded(principal, role)
  const held = on === 'anywhere' ? highestRole(principal) : principal.role
  if (!hasRole({ role: held }, needed)) throw InsufficientRole(`This needs the role ${needed}`, { role: needed })
}

const authorize = (request: FastifyRequest) => {
  requireNoAssistant(request)
  const access = request.routeOptions.config.access
  if (!access) return
  if (!hasScope(request.principal, access.scope)) {
    throw InsufficientScope(`The token lacks the scope ${access.scope}`, { scope: access.scope })
      .withHeaders({ 'www-authenticate': `Bearer error="insufficient_scope", scope="${access.scope}"` })
  }
  requireRole(request.principal, access)
}

/** RFC 6750: a client that sent credentials learns that these are what is wrong. */
const invalid = (error: ApiError): ApiError =>
  error.withHeaders({ 'www-authenticate': 'Bearer realm="steward", error="invalid_token"' })

type Person = Pick<Principal, 'workspace_id' | 'user_id' | 'name' | 'role' | 'bindings'>
type Means = Pick<Principal, 'scopes' | 'assistant' | 'via' | 'via_id' | 'background' | 'planning' | 'admitted' |
  'confirmation_id' | 'write_id' | 'origin' | 'channel'>

/** Written out: V8 gives an object made by spreading a hidden class of its own, and everything reads a principal. */
const principalOf = (owner: Person, means: Means): Principal => ({
  workspace_id: owner.workspace_id,
  user_id: owner.user_id,
  name: owner.name,
  role: owner.role,
  bindings: owner.bindings,
  scopes: means.scopes,
  assistant: means.assistant ?? false,
  via: means.via,
  via_id: means.via_id,
  channel: means.channel,
  background: means.background ?? false,
  planning: means.planning ?? false,
  admitted: means.admitted ?? false,
  confirmation_id: means.confirmation_id,
  write_id: means.write_id,
  origin: means.origin,
  needs: 'viewer'
})

/** The credential decides whose rows are read; at a workspace's host name, those of others are not known. */
const isOfHost = async (app: FastifyInstance, request: FastifyRequest, workspaceId: string): Promise<boolean> => {
  const host = await app.workspaces.of(request)
  return host === undefined || host === workspaceId
}

const fromToken = async (app: FastifyInstance, credentials: Credentials, request: FastifyRequest, text: string):
Promise<Principal> => {
  const admin = app.config.ADMIN_TOKEN
  if (admin && sameToken(text, admin)) {
    const { workspace_id, admin_id: user_id } = app.home
    if (!await isOfHost(app, request, workspace_id)) throw invalid(Unauthenticated('The token is not known'))
    return principalOf({ workspace_id, user_id, name: 'Administrator', role: 'admin', bindings: null },
      { scopes: null, via: 'token', via_id: null })
  }
  const key = keyOfToken(app, 'pat', text) ?? keyOfToken(app, 'oat', text)
  if (!key) throw invalid(Unauthenticated('The token is not one of ours'))
  const isHere = await isOfHost(app, request, key.workspaceId)
  const owner = isHere ? await credentials.findToken(key.workspaceId, key.hash) : undefined
  if (!owner) throw invalid(Unauthenticated('The token is not known'))
  if (owner.revoked || owner.user_status === 'disabled') throw invalid(TokenRevoked())
  if (owner.expired) throw invalid(TokenExpired())
  // One for the whole origin is taken at /mcp, too, which is a part of it; one for /mcp nowhere else.
  if (owner.resource === 'mcp' && request.routeOptions.config.resource !== 'mcp') {
    throw invalid(Unauthenticated('The token was made for /mcp alone'))
  }
  if (owner.stale) await credentials.touchToken(owner.workspace_id, owner.token_id)
  const { scopes, assistant } = owner
  return principalOf(owner, { scopes, assistant, via: 'token', via_id: owner.token_id })
}

/** Asks whoever vouched for the session. @returns it with the rights of then. @throws unauthenticated */
const confirm = async (app: FastifyInstance, credentials: Credentials,
  { workspace_id: workspaceId, session_id: sessionId }: SessionOwner, hash: Buffer): Promise<SessionOwner> => {
  const goesOn = await app.vouchers.ask(workspaceId, sessionId)
  const owner = goesOn ? await credentials.findSession(workspaceId, hash) : undefined
  if (owner?.live && owner.user_status === 'active') return owner
  throw Unauthenticated('The session has ended; sign in again')
}

const fromCookie = async (app: FastifyInstance, credentials: Credentials, request: FastifyRequest, text: string):
Promise<Principal> => {
  const key = keyOfToken(app, 'sess', text)
  if (!key) throw Unauthenticated('The session is not known')
  const isHere = await isOfHost(app, request, key.workspaceId)
  const owner = isHere ? await credentials.findSession(key.workspaceId, key.hash) : undefined
  if (!owner?.live || owner.user_status === 'disabled') throw Unauthenticated('The session has ended; sign in again')
  const held = owner.due ? await confirm(app, credentials, owner, key.hash) : owner
  if (held.stale) await credentials.touchSession(held.workspace_id, held.session_id)
  return principalOf(held, { scopes: null, via: 'browser', via_id: held.session_id })
}

/** The URL may have a path behind a proxy; one derived from an IPv6 host is none. */
const bearer = (request: FastifyRequest, header: string): string => {
  const match = /^bearer ([\x21-\x7e]{1,256})$/i.exec(header)
  // Node keeps the first of several; a proxy in front may have looked at another.
  const sent = request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length
  if (!match?.[1] || sent > 1) throw invalid(Unauthenticated('There must be one Authorization header: Bearer <token>'))
  return match[1]
}

const identify = async (app: FastifyInstance, credentials: Credentials, request: FastifyRequest):
Promise<Principal> => {
  const ticket = request.headers[ticketHeader]
  if (typeof ticket === 'string') {
    const principal = app.tickets.redeem(ticket)
    if (!principal) throw Unauthenticated()
    // A copy: several calls of one run are under way at once, and each needs what its route does.
    return principalOf(principal, principal)
  }
  if (request.headers.authorization !== undefined) {
    return fromToken(app, credentials, request, bearer(request, request.headers.authorization))
  }
  const session = request.cookies[cookieName(app)]
  if (!session) throw Unauthenticated()
  const principal = await fromCookie(app, credentials, request, session)
  requireOwnSite(app, request)
  return principal
}

/** Single-use tickets: how a call made inside this process (a tool, a job) names whom it is made for. */
class Tickets {
  readonly #open = new Map<string, Principal>()

  issue (principal: Principal): string {
    const ticket = randomUUID()
    this.#open.set(ticket, principal)
    return ticket
  }

  redeem (ticket: string): Principal | undefined {
    const principal = this.#open.get(ticket)
    this.#open.delete(ticket)
    return principal
  }
}

/** Whoever vouched for a browser session says whether it goes on; the area that signs people in so answers. */
export interface Vouchers { ask: (workspaceId: string, sessionId: string) => Promise<boolean> }

declare module 'fastify' {
  interface FastifyInstance {
    home: Home
    vouchers: Vouchers
    tickets: Tickets
    authenticate: (request: FastifyRequest) => Promise<void>
    /**
     * Makes every route of the scope need credentials; scope and role follow from the area and the method.
     * @param owner whose the records of the area are, by default the workspace's
     * @param on on what a person needs the role, by default the workspace
     */
    protect: (scope: FastifyInstance, area: string, owner?: Ownership, on?: Access['on']) => void
  }
  interface FastifyRequest { principal: Principal }
  interface FastifyContextConfig {
    access?: Access
    /** Whose tokens of connected assistants it takes; by default the API's. */
    resource?: Resource
    /**
     * A token marked for an assistant may call it, though its method is not a safe one: it changes nothing unasked.
     * `approving`: only the token of a command whose person lets it approve in their name.
     */
    assistant?: true | 'approving'
  }
}

const protect = (scope: FastifyInstance, area: string, owner: Ownership = 'workspace',
  on: Access['on'] = 'workspace') => {
  scope.addHook('onRequest', scope.authenticate)
  // Behind the body, which arrives from a socket and not from what was begun here.
  scope.addHook('preValidation', ({ principal }, _reply, done) => {
    onShareOf(principal.workspace_id, principal.user_id, done)
  })
  scope.addHook('onRoute', (route) => {
    const reads = route.method === 'GET' || route.method === 'HEAD'
    const role = reads ? 'viewer' : 'approver'
    const access: Access = { scope: `${area}:${reads ? 'read' : 'write'}`, role, owner, on }
    route.config = { ...route.config, access: { ...access, ...route.config?.access } }
  })
}

export default fp(async (app) => {
  await app.register(cookie)
  app.decorate('home', await findOrCreateWorkspace(app.db))
  app.decorate('tickets', new Tickets())
  app.decorate('vouchers', { ask: async () => false })
  app.decorateRequest('principal')
  const credentials = new Credentials(app.db, idleSeconds)
  const refused = new RefusedCredentials(app.config.limits.refused_credentials_per_minute)
  app.decorate('authenticate', async (request: FastifyRequest) => {
    try {
      request.principal = await identify(app, credentials, request)
    } catch (error) {
      throw error instanceof ApiError && error.statusCode === 401 ? refused.count(request.ip, error) : error
    }
    authorize(request)
  })
  app.decorate('protect', protect)
}, { name: 'auth', dependencies: ['config', 'db', 'errors', 'workspaces'] })
