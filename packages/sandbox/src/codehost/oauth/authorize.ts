import { SANDBOX_CLIENT_ID } from '../constants.js'
import type { Answer, Call } from '../core/operation.js'
import { accountNamed, type Account } from '../core/world.js'

const minutes10 = 600_000

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function back (target: string, members: Record<string, string | null>): Answer {
  const url = new URL(target)
  for (const [name, value] of Object.entries(members)) if (value !== null) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href } }
}

/** The page on which a person chooses a user of the sandbox; `login=` chooses at once, `deny=1` refuses. */
export function authorize (call: Call): Answer {
  const { query, sandbox: { world } } = call
  const redirect = query.get('redirect_uri')
  if (query.get('client_id') !== SANDBOX_CLIENT_ID) return { status: 404, body: showPage('Unknown client_id', '') }
  if (!redirect || !URL.canParse(redirect)) return { status: 400, body: showPage('redirect_uri is missing', '') }
  const state = query.get('state')
  const method = query.get('code_challenge_method')
  if (query.has('code_challenge') && method !== 'S256') {
    return back(redirect, { error: 'invalid_request', error_description: 'code_challenge_method must be S256', state })
  }
  if (query.has('deny')) {
    const error_description = 'The user has denied your application access.'
    return back(redirect, { error: 'access_denied', error_description, state })
  }
  const chosen = accountNamed(world, query.get('login') ?? '')
  if (chosen?.type === 'User') return back(redirect, { code: issueCode(call, chosen, redirect), state })
  return { status: 200, body: showChoice(call) }
}

function issueCode ({ query, sandbox }: Call, user: Account, redirect: string): string {
  const code = sandbox.random(20).toLowerCase()
  sandbox.codes.set(code, {
    user_id: user.id,
    client_id: SANDBOX_CLIENT_ID,
    redirect_uri: redirect,
    scopes: (query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean),
    challenge: query.get('code_challenge'),
    expires_at: sandbox.world.clock.now() + minutes10
  })
  return code
}

function showChoice ({ query, sandbox: { world } }: Call): string {
  const button = (name: string, value: string, text: string) => {
    const fields = [...query].filter(([key]) => key !== name)
      .map(([key, each]) => `<input type="hidden" name="${escape(key)}" value="${escape(each)}">`).join('')
    return `<form>${fields}<button name="${name}" value="${value}">${escape(text)}</button></form>`
  }
  const people = [...world.accounts.values()].filter(({ type }) => type === 'User')
  const buttons = people.map(({ login, name }) => button('login', login, `Sign in as ${name} (${login})`))
  return showPage('Authorize Steward', [...buttons, button('deny', '1', 'Cancel')].join('\n'))
}

const showPage = (title: string, body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px system-ui;max-width:32rem;margin:4rem auto}button{width:100%;padding:.7rem;margin:.3rem 0}</style>
<h1>${title}</h1><p>This is Steward's sandbox, not a real code host: its users have no passwords.</p>
${body}
</html>`
