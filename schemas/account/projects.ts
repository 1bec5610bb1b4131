import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Revision } from '../../schemas/revisions.js'
import { Name } from './users.js'

export const Project = Type.Object({
  id: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  revision: Revision,
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp,
  archived_at: Nullable(Timestamp)
}, { $id: 'Project' })
export type Project = Static<typeof Project>

export const ProjectPage = page(Project, 'ProjectPage')

export const ListProjects = Type.Object({
  ...PageQuery,
  archived: Words(['false', 'true', 'all'], { default: 'false', description: 'true = only archived ones' }),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the name, in any case' }))
})
export type ListProjects = Static<typeof ListProjects>

export const ProjectParams = Type.Object({ project_id: Id })

const Description = Type.String({ maxLength: 2000 })

export const CreateProject = Type.Object({ name: Name, description: Type.Optional(Nullable(Description)) },
  { $id: 'CreateProject', additionalProperties: false })
export type CreateProject = Static<typeof CreateProject>

export const UpdateProject = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Nullable(Description))
}, { $id: 'UpdateProject', additionalProperties: false, minProperties: 1 })
export type UpdateProject = Static<typeof UpdateProject>

export const ProjectInstructions = Type.Object({
  text: Type.String({ description: 'Empty when the project has none' }),
  revision: Revision,
  updated_by: Nullable(Id),
  updated_at: Nullable(Timestamp)
}, { $id: 'ProjectInstructions' })
export type ProjectInstructions = Static<typeof ProjectInstructions>

export const PutProjectInstructions = Type.Object({
  text: Type.String({ maxLength: 4000, description: 'In words, such as names to use and habits to keep' })
}, { $id: 'PutProjectInstructions', additionalProperties: false })
export type PutProjectInstructions = Static<typeof PutProjectInstructions>
