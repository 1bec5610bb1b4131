import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toApiError } from './problem.js'
import { pageHeaders } from '../security/requests.js'
import type { ApiError } from '../../schemas/errors.js'

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export interface SignInAdvice {
  /** What a person can do about an error, by its code; `{callback}` is the address that browsers are sent back to. */
  advice: Record<string, string>
  callbackOf: (request: FastifyRequest) => string
  /** From the page's own address to the root. */
  root: string
}

const page = (error: ApiError, callback: string, { advice, root }: SignInAdvice): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Steward: not signed in</title>
  <link rel="stylesheet" href="${root}setup.css">
</head>
<body>
  <main>
    <h1>That did not work</h1>
    <p role="alert">${escape(error.message)}.</p>
    <p>${escape((advice[error.code] ?? 'Try again in a while.').replace('{callback}', callback))}</p>
    <p><a href="${root}sign-in">Back to signing in</a></p>
    <p><small>${escape(error.code)}</small></p>
  </main>
</body>
</html>
`

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

/** Browsers get errors as a page; programs get the problem document, as everywhere. */
export const explainToBrowsers = (app: FastifyInstance, advice: SignInAdvice): void => {
  app.setErrorHandler((error, request, reply) => {
    if (!wantsPage(request)) throw error
    const answer = toApiError(error)
    if (answer.statusCode >= 500) request.log.error({ code: answer.code, reason: String(error) }, 'request failed')
    return reply.code(answer.statusCode).headers({ ...answer.headers, ...pageHeaders, 'x-error-code': answer.code })
      .type('text/html; charset=utf-8').serializer((text: string) => text)
      .send(page(answer, advice.callbackOf(request), advice))
  })
}
