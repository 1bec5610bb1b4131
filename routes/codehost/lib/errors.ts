import { defineError } from '../../../schemas/errors.js'

export {
  BranchTaken, CodehostAccountTaken, CodehostBadResponse, CodehostConflict, codehostErrors, CodehostForbidden,
  CodehostNotConfigured, CodehostNotConnected, CodehostNotFound, CodehostOtherAccount, CodehostValidation, OauthDenied,
  OauthExchangeFailed, OauthStateMismatch, RepoNotFound, SignInNotAllowed, upstreamErrors
} from '../../../schemas/codehost/errors.js'

export const InvalidRepoId = defineError('invalid_repo_id', 'A repository is named by its numeric id', 400)
export const UnsupportedQualifier = defineError('unsupported_qualifier',
  'Searches are narrowed by parameters, not by qualifiers in the text', 400)
export const WebhookSignatureInvalid = defineError('webhook_signature_invalid',
  'The signature does not fit the body', 401)
export const WebhookNotConfigured = defineError('webhook_not_configured',
  'No webhook secret is configured, so no webhook is accepted', 503)
