import type { KoaContextWithOIDC } from 'oidc-provider'
import { paths } from './deps.js'

const characters: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string): string => text.replace(/[&<>"']/g, (found) => characters[found] ?? '')

const page = (issuer: string, title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Steward: ${escape(title)}</title>
  <link rel="stylesheet" href="${escape(issuer)}/setup.css">
</head>
<body>
  <main>
    <h1>${escape(title)}</h1>
${content}
  </main>
</body>
</html>
`

/** These pages run nothing; a code in the address is sent on by a script that the library names by its digest. */
const policyOf = (path: string): string =>
  "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; " +
  // The answer may go to the client by a form; what people type here goes to nobody else.
  (path.startsWith(paths.code_verification) ? "form-action 'self'; " : '') + "frame-ancestors 'none'"

/** Headers of everything that a browser shows of the authorization server. */
export const pageHeadersOf = (path: string): Record<string, string> => ({
  'content-security-policy': policyOf(path),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store'
})

const show = (ctx: KoaContextWithOIDC, title: string, content: string): void => {
  ctx.type = 'html'
  ctx.body = page(ctx.oidc.provider.issuer, title, content)
}

const formOf = (ctx: KoaContextWithOIDC, content: string): string => {
  const secret = ctx.oidc.session?.state?.secret
  return `    <form method="post" action="${escape(ctx.oidc.urlFor('code_verification'))}">
      <input type="hidden" name="xsrf" value="${escape(typeof secret === 'string' ? secret : '')}">
${content}
    </form>`
}

const problems: Record<string, string> = {
  NotFoundError: 'No device shows this code. Look again: it has eight letters.',
  NoCodeError: 'Enter the code that the device shows.',
  ExpiredError: 'This code has expired. Start again on the device.',
  AlreadyUsedError: 'This code was used already. Start again on the device.',
  AbortedError: 'Nothing was connected.'
}

const problemOf = (error: Error): string =>
  problems[error.name] ?? 'That did not work. Start again on the device.'

export const showCodeForm = (ctx: KoaContextWithOIDC, error: Error | undefined): void => {
  const problem = error && problemOf(error)
  show(ctx, 'Connect a device', `${problem === undefined ? '' : `    <p role="alert">${escape(problem)}</p>\n`}${
    formOf(ctx, `      <p><label for="code">The code that the device or the command shows</label></p>
      <p><input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false"
        maxlength="20" placeholder="XXXX-XXXX" required autofocus></p>
      <p><button type="submit">Continue</button></p>`)}
    <p>Only enter a code of a device that is before you: whoever sent you one may want to be let in instead.</p>`)
}

export const showCodeConfirmation = (ctx: KoaContextWithOIDC, name: string, code: string): void =>
  show(ctx, 'Is this your device?', formOf(ctx, `      <p>“${escape(name)}” shows this code:</p>
      <p><strong>${escape(code)}</strong></p>
      <input type="hidden" name="user_code" value="${escape(code)}">
      <p><button type="submit" name="confirm" value="yes">It shows this code</button>
        <button type="submit" name="abort" value="yes">It does not</button></p>`))

export const showConnected = (ctx: KoaContextWithOIDC): void =>
  show(ctx, 'Connected', '    <p>Go on at the device. You can close this page.</p>')

export const showError = (ctx: KoaContextWithOIDC, error: string, description: string | undefined): void =>
  show(ctx, 'This did not work', `    <p role="alert">The program that sent you here asked for something that Steward
      does not do: ${escape(description ?? error)} (<code>${escape(error)}</code>).</p>
    <p>Nothing was connected. Start again in that program.</p>`)
