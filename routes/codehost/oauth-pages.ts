import type { FastifyInstance } from 'fastify'
import { explainToBrowsers } from '../../lib/http/sign-in-errors.js'

const advice = {
  oauth_denied: 'Nothing was changed. You can start again whenever you like.',
  oauth_exchange_failed: 'Start again. If this happens every time, the application at the code host and its client ' +
    'id, secret or callback URL here do not fit together: the callback URL is {callback}.',
  oauth_state_mismatch: 'Start again, in this browser: an attempt lasts ten minutes and works once. If this happens ' +
    'every time, you use another address of this site than the code host sends you back to, which is {callback}: ' +
    'PUBLIC_URL must be the address that people use, https where they use https.',
  sign_in_not_allowed: 'Ask an admin to invite you.',
  codehost_account_taken: 'Sign in as that user, or disconnect the account there.',
  unauthenticated: 'Sign in first, then connect your account.'
}

/** Errors of signing in with the code host, as a page. */
export const explainErrors = (app: FastifyInstance): void => explainToBrowsers(app, {
  advice, root: '../', callbackOf: (request) => `${app.workspaces.browserOrigin(request)}/codehost-oauth/callback`
})
