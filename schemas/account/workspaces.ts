import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, page } from '../common.js'
import { Email, Link, Name, User } from './users.js'
import { Workspace } from './workspace.js'
import { UpdateWorkspaceSettings, WorkspaceSettings } from './workspace-settings.js'

/** A workspace as the admins of the installation see it. */
export const AdministeredWorkspace = Type.Object({ ...Workspace.properties, settings: WorkspaceSettings },
  { $id: 'AdministeredWorkspace' })
export type AdministeredWorkspace = Static<typeof AdministeredWorkspace>

export const WorkspacePage = page(AdministeredWorkspace, 'WorkspacePage')
export const ListWorkspaces = Type.Object(PageQuery)
export const WorkspaceParams = Type.Object({ workspace_id: Id })

const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Host names, each of one workspace only; kept in lower case and as ASCII. Links lead to the first'
})

/** An admin of a workspace, made by an admin of the installation. */
export const CreateWorkspaceAdmin = Type.Object({ name: Name, email: Type.Optional(Email) },
  { $id: 'CreateWorkspaceAdmin', additionalProperties: false })
export type CreateWorkspaceAdmin = Static<typeof CreateWorkspaceAdmin>

export const CreateWorkspace = Type.Object({
  name: Name,
  hosts: Type.Optional(Hosts),
  admin: Type.Optional(CreateWorkspaceAdmin)
}, { $id: 'CreateWorkspace', additionalProperties: false })
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const CreatedWorkspace = Type.Object({
  workspace: AdministeredWorkspace,
  admin: Nullable(User),
  link: Nullable(Link)
}, { $id: 'CreatedWorkspace', description: 'admin and link are null where no admin was asked for' })
export type CreatedWorkspace = Static<typeof CreatedWorkspace>

export const UpdateWorkspaceById = Type.Object({
  name: Type.Optional(Name),
  hosts: Type.Optional(Hosts),
  settings: Type.Optional(UpdateWorkspaceSettings)
}, { $id: 'UpdateWorkspaceById', additionalProperties: false, minProperties: 1 })
export type UpdateWorkspaceById = Static<typeof UpdateWorkspaceById>
