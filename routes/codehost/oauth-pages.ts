import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toApiError } from '../../lib/http/problem.js'
import { pageHeaders } from '../../lib/security/page-headers.js'
import type { ApiError } from '../../schemas/errors.js'

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** What a person can do about an error; `{callback}` is the address that the code host sends browsers to. */
const advice: Record<string, string> = {
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

const page = (error: ApiError, callback: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Steward: not signed in</title>
  <link rel="stylesheet" href="../setup.css">
</head>
<body>
  <main>
    <h1>That did not work</h1>
    <p role="alert">${escape(error.message)}.</p>
    <p>${escape((advice[error.code] ?? 'Try again in a while.').replace('{callback}', callback))}</p>
    <p><a href="../sign-in">Back to signing in</a></p>
    <p><small>${escape(error.code)}</small></p>
  </main>
</body>
</html>
`

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

/** Browsers get errors as a page; programs get the problem document, as everywhere. */
export const explainToBrowsers = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    if (!wantsPage(request)) throw error
    const answer = toApiError(error)
    if (answer.statusCode >= 500) request.log.error({ code: answer.code, reason: String(error) }, 'request failed')
    const callback = `${app.workspaces.browserOrigin(request)}/codehost-oauth/callback`
    return reply.code(answer.statusCode).headers({ ...answer.headers, ...pageHeaders, 'x-error-code': answer.code })
      .type('text/html; charset=utf-8').serializer((text: string) => text).send(page(answer, callback))
  })
}
