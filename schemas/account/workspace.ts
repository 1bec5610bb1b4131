import { Type, type Static } from '@sinclair/typebox'
import { Id, Timestamp } from '../common.js'
import { Revision } from '../../schemas/revisions.js'
import { Name } from './users.js'

export const Workspace = Type.Object({
  id: Id,
  name: Type.String(),
  hosts: Type.Array(Type.String(), {
    description: 'The host names at which it is reached; none = by the address of the installation alone'
  }),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'Workspace' })
export type Workspace = Static<typeof Workspace>

export const UpdateWorkspace = Type.Object({ name: Name }, { $id: 'UpdateWorkspace', additionalProperties: false })
export type UpdateWorkspace = Static<typeof UpdateWorkspace>
