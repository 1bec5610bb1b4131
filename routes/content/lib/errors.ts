import { defineError } from '../../../schemas/errors.js'

export const ReadOnlyField = defineError('read_only_field', 'A field that cannot be written was changed', 422)
export const ProjectArchived = defineError('project_archived', 'The project is archived', 409)
export const BriefState = defineError('brief_state', 'The brief cannot go into that state from the one it is in', 409)
