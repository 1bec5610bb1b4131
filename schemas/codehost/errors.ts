import { defineError, type ErrorDefinition } from '../errors.js'

export const OauthDenied = defineError('oauth_denied', 'You did not allow the connection at the code host', 400)
export const OauthExchangeFailed = defineError('oauth_exchange_failed',
  'The code host did not confirm who you are', 400)
export const OauthStateMismatch = defineError('oauth_state_mismatch',
  'This is not the answer to something that this browser asked', 400)
export const SignInNotAllowed = defineError('sign_in_not_allowed',
  'Your account of the code host may not sign in here', 403)
export const CodehostAccountTaken = defineError('codehost_account_taken',
  'The account of the code host belongs to another user', 409)
export const CodehostOtherAccount = defineError('codehost_other_account',
  'You are connected with another account of the code host; disconnect that one first', 409)
export const BranchTaken = defineError('branch_taken',
  'The branch exists, and holds something that this pull request did not put there', 409)
export const CodehostForbidden = defineError('codehost_forbidden', 'The code host does not allow you this', 403)
export const RepoNotFound = defineError('repo_not_found', 'There is no such repository, or you may not see it', 404)
export const CodehostNotFound = defineError('codehost_not_found', 'The code host has no such thing', 404)
export const CodehostNotConnected = defineError('codehost_not_connected',
  'Your account is not connected to the code host', 409)
export const CodehostReauthRequired = defineError('codehost_reauth_required',
  'The code host does not accept the connection any more; connect again', 409)
export const CodehostConflict = defineError('codehost_conflict',
  'The repository is in a state that does not allow this', 409)
export const CodehostValidation = defineError('codehost_validation', 'The code host refused the request', 422)
export const CodehostBadResponse = defineError('codehost_bad_response',
  'The code host answered something that cannot be used', 502)
export const CodehostError = defineError('codehost_error', 'The code host failed or could not be reached', 502)
export const CodehostNotConfigured = defineError('codehost_not_configured',
  'No code host is configured here', 503)
export const CodehostRateLimited = defineError('codehost_rate_limited',
  'The code host limits how often it may be asked', 503)
export const CodehostTimeout = defineError('codehost_timeout', 'The code host did not answer in time', 504)

/** Errors of every operation that calls the code host as a person. */
export const codehostErrors: ErrorDefinition[] = [
  CodehostForbidden, CodehostNotConnected, CodehostReauthRequired, CodehostNotFound, CodehostConflict,
  CodehostValidation, CodehostBadResponse, CodehostError, CodehostNotConfigured, CodehostRateLimited,
  CodehostTimeout
]

/** Errors of asking the code host whose token it is. */
export const upstreamErrors: ErrorDefinition[] = [CodehostBadResponse, CodehostError, CodehostNotConfigured,
  CodehostRateLimited, CodehostTimeout]
