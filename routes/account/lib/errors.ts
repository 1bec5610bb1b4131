import type { Principal } from '../../../lib/security/principal.js'
import { defineError, InsufficientScope } from '../../../schemas/errors.js'

/**
 * A person's role, status and sessions have no scopes: a scoped token that could change or hand them out
 * would give more than it holds.
 * @param why what the operation would give, as the beginning of a sentence
 * @throws insufficient_scope
 */
export const requireUnscoped = ({ scopes }: Principal, why: string): void => {
  if (scopes !== null) throw InsufficientScope(`${why}: use a browser session or ADMIN_TOKEN for this`)
}

export const EmailTaken = defineError('email_taken', 'Another user has this e-mail address', 409)
export const LastAdmin = defineError('last_admin', 'The last active admin cannot be demoted or disabled', 409)
export const UserCanSignIn = defineError('user_can_sign_in', 'The person can sign in without a link', 409)
export const UserDisabled = defineError('user_disabled', 'The user is disabled', 409)
export const HostTaken = defineError('host_taken', 'Another workspace has this host name', 409)
export const LimitAboveInstallation = defineError('limit_above_installation', 'The installation allows less', 422)
export const GroupNameTaken = defineError('group_name_taken', 'Another group has this name', 409)
export const BindingExists = defineError('binding_exists', 'The person or group has a role on this already', 409)
export const SubjectUnknown = defineError('subject_unknown', 'There is no such person or group here', 422)
export const BoundToNothing = defineError('bound_to_nothing', 'There is no such project or cloud account here', 422)
export const ProjectNameTaken = defineError('project_name_taken', 'Another project has this name', 409)
export const LinkUsed = defineError('link_used', 'The link was used, or a newer one took its place', 410)
export const LinkExpired = defineError('link_expired', 'The link has expired', 410)
export const ScopeNotAllowed = defineError('scope_not_allowed', 'An assistant\'s token cannot decide approvals', 422)
export const WorkspaceExists = defineError('workspace_exists', 'A workspace with this id is here already', 409)
export const ArchiveNewer = defineError('archive_newer', 'The archive is of a later release', 409)
export const ObjectStoreFailed = defineError('object_store_failed', 'The store of images gives no answer', 502)
export const ArchiveDamaged = defineError('archive_damaged', 'The archive is not whole, or not one of ours', 422)
export const ArchivePassphrase = defineError('archive_passphrase', 'The archive needs its passphrase', 422)
export const FirstWorkspace = defineError('first_workspace', 'The first workspace cannot be deleted', 409)
export const OtherName = defineError('other_name', 'The workspace has another name', 409)
export const DelegateInvalid = defineError('delegate_invalid', 'This person cannot approve for you', 422)
export const DelegationTooLong = defineError('delegation_too_long', 'It ends in the future, within 30 days', 422)
export const TooManyDelegations = defineError('too_many_delegations', 'Nobody has more delegations at once', 409)
export const PasskeyKnown = defineError('passkey_known', 'This passkey is registered already', 409)
export const TooManyPasskeys = defineError('too_many_passkeys', 'Nobody has more passkeys at once', 409)
export const PoliciesInvalid = defineError('policies_invalid', 'The policies do not fit', 422)
export const StaleDraft = defineError('stale_draft', 'The draft of the policies is another one now', 409)
export const NotReplayed = defineError('not_replayed', 'This draft was not replayed since it was changed last', 409)
export const ExamplesFail = defineError('examples_fail', 'Examples of the draft do not pass', 409)
export const UnknownTool = defineError('unknown_tool', 'There is no such tool that writes', 422)
export const IssuerTaken = defineError('issuer_taken', 'Another provider has this issuer', 409)
export const TooManyProviders = defineError('too_many_providers', 'There are as many providers as may be', 409)
export const IdentityNotFound = defineError('identity_not_found', 'Nobody signs in with this here', 404)
export const IdentityDenied = defineError('identity_denied', 'You were not signed in at the provider', 400)
export const IdentityExchangeFailed = defineError('identity_exchange_failed',
  'The provider did not confirm who you are', 400)
export const IdentityStateMismatch = defineError('identity_state_mismatch',
  'This is not the answer to something that this browser asked of this provider', 400)
export const IdentityNotAllowed = defineError('identity_not_allowed', 'Your account there may not sign in here', 403)
export const IdentityEmailTaken = defineError('identity_email_taken',
  'Another person here has your e-mail address, and the provider\'s word does not suffice to be them', 409)
export const IdentityTaken = defineError('identity_taken', 'Another person here has this account', 409)
export const IdentityUnavailable = defineError('identity_unavailable', 'The provider cannot be asked', 502)
export const LogoutTokenRefused = defineError('logout_token_refused', 'The logout token is not valid here', 400)
export const ScopeNotAsked = defineError('scope_not_asked', 'The program did not ask for this scope', 422)
