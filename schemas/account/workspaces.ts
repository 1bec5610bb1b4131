import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, page } from '../common.js'
import { Email, Link, Name, User } from './users.js'
import { UpdateWorkspaceSettings, WorkspaceSettings } from './workspace-settings.js'
import { Workspace } from './workspace.js'

/** The media type of an archive: lines of JSON, which docs/workspaces.md describes. */
export const archiveType = 'application/vnd.steward.archive'

export const ArchiveLines = Type.Unsafe<NodeJS.ReadableStream>({
  $id: 'WorkspaceArchive', type: 'string', description: 'Lines of JSON: a header, tables with their rows, and an end'
})

export const ArchiveHeaders = Type.Object({
  'archive-passphrase': Type.Optional(Type.String({
    pattern: '^[\\x20-\\x7e]{20,1000}$',
    examples: ['correct horse battery staple'],
    description: 'Encrypts the secrets in the archive: 20 to 1000 printable ASCII characters, kept nowhere'
  }))
})

export const DeleteWorkspace = Type.Object({
  name: Type.String({ maxLength: 1000, description: 'The workspace\'s name: what is deleted does not come back' })
})

const Count = Type.Integer({ minimum: 0 })

export const ImportedWorkspace = Type.Object({
  workspace: Workspace,
  rows: Type.Integer({ minimum: 1, description: 'Of all tables' }),
  dropped_hosts: Type.Array(Type.String(), { description: 'Host names that another workspace has here' }),
  lost_secrets: Type.Integer({ minimum: 0, description: 'Secrets that the archive left out: people enter them again' }),
  lost_identities: Type.Integer({
    minimum: 0, description: 'Cloud accounts that used the identity of the other installation: they need another way'
  }),
  ended_work: Type.Record(Type.String(), Count, { description: 'By table: what was under way, and ends here' })
}, { $id: 'ImportedWorkspace' })
export type ImportedWorkspace = Static<typeof ImportedWorkspace>

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
