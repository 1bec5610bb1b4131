import {
  announceWorkspaces, findTakenHost, findWorkspaceById, insertWorkspace, lockHosts, lockSettings, updateWorkspaceById,
  type WorkspaceRow
} from '../../../../db/account/workspaces.js'
import { insertUser, isDuplicateEmail } from '../../../../db/account/users.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { readSettings, unreadSettings } from '../../../../lib/account/settings.js'
import { parseHostName } from '../../../../lib/http/host-names.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { FreshToken } from '../../../../lib/security/tokens.js'
import type {
  AdministeredWorkspace, CreatedWorkspace, CreateWorkspace, CreateWorkspaceAdmin, UpdateWorkspaceById
} from '../../../../schemas/account/workspaces.js'
import { InvalidRequest, NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { EmailTaken, HostTaken } from '../errors.js'
import { issueInvitation } from '../people/invite.js'
import { requireUnscoped } from '../require-unscoped.js'
import { encryptKey, mergeSettings, showSettings, type Bounds } from './workspace-settings.js'

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
