import { defineError } from '../../../schemas/errors.js'

export const EmailTaken = defineError('email_taken', 'Another user has this e-mail address', 409)
export const LastAdmin = defineError('last_admin', 'The last active admin cannot be demoted or disabled', 409)
export const UserDisabled = defineError('user_disabled', 'The user is disabled', 409)
export const ProjectNameTaken = defineError('project_name_taken', 'Another project has this name', 409)
export const LinkUsed = defineError('link_used', 'The link was used, or a newer one took its place', 410)
export const LinkExpired = defineError('link_expired', 'The link has expired', 410)
export const ScopeNotAllowed = defineError('scope_not_allowed', 'An assistant\'s token cannot decide approvals', 422)
