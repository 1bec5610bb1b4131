import type { FastifyInstance, FastifyRequest } from 'fastify'
import { insertUser, isDuplicateEmail } from '../../../../db/account/users.js'
import {
  announceWorkspaces, findTakenHost, findWorkspaceById, insertWorkspace, lockHosts, lockSettings, updateWorkspaceById,
  type WorkspaceRow
} from '../../../../db/account/workspaces.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { readSettings, unreadSettings } from '../../../../lib/account/settings.js'
import { readSignInRules } from '../../../../lib/codehost/sign-in-rules.js'
import { parseHostName, nameOfHost } from '../../../../lib/http/addresses.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import type { Limits } from '../../../../plugins/config.js'
import type {
  OwnSettings, UpdateWorkspaceSettings, WorkspaceLimits, WorkspaceSettings
} from '../../../../schemas/account/workspace-settings.js'
import type {
  AdministeredWorkspace, CreatedWorkspace, CreateWorkspace, CreateWorkspaceAdmin, UpdateWorkspaceById
} from '../../../../schemas/account/workspaces.js'
import { InvalidRequest, NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { EmailTaken, HostTaken, requireUnscoped, LimitAboveInstallation } from '../errors.js'
import { issueInvitation } from '../people/invite.js'

const showSettings = ({ limits, retention, sign_in, step_up, model }: OwnSettings, has_model_api_key: boolean):
WorkspaceSettings => ({
  limits: limits ?? null,
  retention: retention ?? null,
  sign_in: sign_in ?? null,
  step_up: step_up ?? null,
  model: model ?? null,
  has_model_api_key
})

/** What bounds a change. */
export interface Bounds {
  /** The host name of PUBLIC_URL, which others than the first workspace may not have. */
  own: string | undefined
  /** The installation's. */
  limits: Limits
  /** @throws model_price_unknown, model_not_listed */
  requireModel: (model: string) => Promise<void>
  encrypt: (context: string, plain: string) => Buffer
}

/** @returns the stored form of a key that is named; undefined = none is, and the stored one stays */
const encryptKey = (id: string, { model_api_key: key }: UpdateWorkspaceSettings, { encrypt }: Bounds):
Buffer | null | undefined => typeof key === 'string' ? encrypt(`workspace|${id}|model_api_key`, key) : key

/** Limits protect the installation, and its bill: a workspace's are no higher. @throws limit_above_installation */
const requireLower = (limits: WorkspaceLimits, most: Limits): void => {
  const allowed: Record<string, number | undefined> = most
  const errors = Object.entries(limits).flatMap(([name, value]) => {
    const limit = allowed[name]
    if (limit === undefined || value <= limit) return []
    const message = `The installation's limit is ${limit}`
    return [{ pointer: `/settings/limits/${name}`, code: 'limit_above_installation', message }]
  })
  const [first] = errors
  if (first) throw LimitAboveInstallation(`${first.pointer} ${first.message}`, { errors })
}

/** @throws invalid_request */
const requireRules = (text: string): void => {
  const pointer = '/settings/sign_in'
  try {
    readSignInRules(text, pointer)
  } catch (error) {
    const message = messageOf(error)
    throw InvalidRequest(message, { errors: [{ pointer, code: 'sign_in_rules', message }] })
  }
}

/**
 * @param named each part replaces what is stored; null = as the installation
 * @returns what is stored from now on
 */
const mergeSettings = (stored: OwnSettings, named: UpdateWorkspaceSettings,
  { limits: most }: Pick<Bounds, 'limits'>): OwnSettings => {
  if (named.limits) requireLower(named.limits, most)
  if (typeof named.sign_in === 'string') requireRules(named.sign_in)
  const { limits, retention, sign_in, step_up, model } = { ...stored, ...named }
  return {
    ...(limits && { limits }),
    ...(retention && { retention }),
    ...(typeof sign_in === 'string' && { sign_in }),
    ...(typeof step_up === 'boolean' && { step_up }),
    ...(typeof model === 'string' && { model })
  }
}

/** @returns the host name of the installation's own address; undefined without PUBLIC_URL */
export const ownHost = ({ config: { PUBLIC_URL: url } }: Pick<FastifyInstance, 'config'>): string | undefined =>
  url === undefined ? undefined : nameOfHost(new URL(url).host)

/** @returns who asks for a change of another workspace, and from where: its audit shows it */
export const requestOf = ({ principal, ip, id }: FastifyRequest): Request =>
  ({ by: principal, address: ip, requestId: id })

const why = 'A link signs in without a limit of scopes'

/** Where a link leads, and the token in it: both are of the workspace that it signs in to. */
export interface Invites { originOf: (hosts: string[]) => string, tokenFor: (workspaceId: string) => FreshToken }

export interface Request { by: Principal, address: string, requestId: string }

export const showWorkspace = ({ has_model_api_key: hasKey, ...row }: WorkspaceRow): AdministeredWorkspace =>
  ({ ...row, settings: showSettings(readSettings(row.settings) ?? unreadSettings, hasKey) })

/** @returns the names as they are kept. @throws invalid_request */
const parseHosts = (hosts: string[]): string[] => [...new Set(hosts.map((text, index) => {
  const name = parseHostName(text)
  if (name !== undefined) return name
  const message = 'must be a host name: no address, no port, no path'
  const pointer = `/hosts/${index}`
  throw InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code: 'host_name', message }] })
}))]

/**
 * @param id null = of a workspace that is made
 * @param own the host name of PUBLIC_URL, which only the first workspace may have. @throws host_taken
 */
const requireFreeHosts = async (trx: Db, id: string | null, hosts: string[], own: string | undefined) => {
  await lockHosts(trx)
  const taken = own !== undefined && hosts.includes(own) ? own : await findTakenHost(trx, id, hosts)
  if (taken !== undefined) throw HostTaken(`${taken} is the name of another workspace`, { host: taken })
  await announceWorkspaces(trx)
}

/** Makes an admin and a link for them. The workspace's own audit says so: its people do not see the installation's. */
const addAdmin = async (trx: Db, workspace: WorkspaceRow, input: CreateWorkspaceAdmin, request: Request,
  { originOf, tokenFor }: Invites) => {
  const user = await insertUser(trx, workspace.id, { ...input, role: 'admin' })
  const link = await issueInvitation(trx, workspace.id, user.id, originOf(workspace.hosts), tokenFor(workspace.id),
    null)
  await insertAudit(trx, {
    workspace_id: workspace.id,
    user_id: null,
    via: 'system',
    via_id: null,
    operation: 'createWorkspaceAdmin',
    target: user.id,
    outcome: 'succeeded',
    status: 201,
    remote_address: request.address,
    request_id: request.requestId
  })
  return { user, link }
}

/** @throws insufficient_scope, host_taken, invalid_request */
export const createWorkspace = (db: Db, input: CreateWorkspace, request: Request, own: string | undefined,
  invites: Invites): Promise<CreatedWorkspace> => {
  const hosts = parseHosts(input.hosts ?? [])
  if (input.admin) requireUnscoped(request.by, why)
  return db.transaction().execute(async (trx) => {
    if (hosts.length > 0) await requireFreeHosts(trx, null, hosts, own)
    const workspace = await insertWorkspace(trx, input.name, hosts)
    const made = showWorkspace(workspace)
    if (!input.admin) return { workspace: made, admin: null, link: null }
    const { user, link } = await addAdmin(trx, workspace, input.admin, request, invites)
    return { workspace: made, admin: user, link }
  })
}

/** @throws not_found, insufficient_scope, email_taken */
export const createWorkspaceAdmin = async (db: Db, id: string, input: CreateWorkspaceAdmin, request: Request,
  invites: Invites) => {
  requireUnscoped(request.by, why)
  try {
    return await db.transaction().execute(async (trx) => {
      const workspace = await findWorkspaceById(trx, id)
      if (!workspace) throw NotFound()
      return addAdmin(trx, workspace, input, request, invites)
    })
  } catch (error) {
    throw isDuplicateEmail(error) ? EmailTaken() : error
  }
}

/** @throws not_found, stale_revision, host_taken, limit_above_installation, invalid_request, as `requireModel` */
export const changeWorkspace = async (db: Db, id: string, change: UpdateWorkspaceById, bounds: Bounds,
  revisions?: number[]): Promise<AdministeredWorkspace> => {
  const { name, hosts: texts, settings: named } = change
  const hosts = texts && parseHosts(texts)
  // It may have to ask the provider, which no transaction waits for.
  if (typeof named?.model === 'string') await bounds.requireModel(named.model)
  return db.transaction().execute(async (trx) => {
    if (hosts) await requireFreeHosts(trx, id, hosts, bounds.own)
    const settings = named && mergeSettings(readSettings(await lockSettings(trx, id)) ?? {}, named, bounds)
    if (settings) await announceWorkspaces(trx)
    const changed = await updateWorkspaceById(trx, id, {
      name, hosts, ...(settings && { settings }), model_api_key: named && encryptKey(id, named, bounds)
    }, revisions)
    if (!changed) throw explainMiss(await findWorkspaceById(trx, id))
    return showWorkspace(changed)
  })
}
