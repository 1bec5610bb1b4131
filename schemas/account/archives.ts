import { Type, type Static } from '@sinclair/typebox'
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
