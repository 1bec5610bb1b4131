import { defineError } from '../../../schemas/errors.js'

export const ReadOnlyField = defineError('read_only_field', 'A field that cannot be written was changed', 422)
export const ProjectArchived = defineError('project_archived', 'The project is archived', 409)
export const BriefState = defineError('brief_state', 'The brief cannot go into that state from the one it is in', 409)
export const SlugTaken = defineError('slug_taken', 'Another record of this channel and locale has this slug', 409)
export const ContentLive = defineError('content_live', 'The record is published or scheduled', 409)
export const ContentArchived = defineError('content_archived', 'The record is archived', 409)
export const ReviewState = defineError('review_state', 'The version cannot go into that state from this one', 409)
export const ChecksFailed = defineError('checks_failed', 'The checks of the version find errors', 422)
export const CommentRequired = defineError('comment_required', 'Say what is to be changed', 422)
export const SelfApproval = defineError('self_approval', 'Authors may not approve their own versions here', 403)
export const NotOwner = defineError('not_owner', 'Only an admin may do this with a record of somebody else', 403)
export const LocaleNotEnabled = defineError('locale_not_enabled', 'The brand does not write in this locale', 422)
