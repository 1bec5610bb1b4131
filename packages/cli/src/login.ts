import { body, createSteward } from 'steward-client'
import { CredentialsFile, type Credentials } from './credentials.js'
import { approves, chooseServer, connect, isUnreadable, type ServerOptions } from './connect.js'
import { Ended, exits } from './exits.js'
import {
  discover, isError, pollDevice, refused, register, revoke, startDevice, toCredentials, type Device,
  type Metadata
} from './oauth.js'
import type { Terminal } from './terminal.js'
import { oneLine } from './text.js'

export interface LoginOptions extends ServerOptions { clientId?: string | undefined, scope?: string | undefined }

/** As whom this command signs in where the server does not register clients. */
const ownClientId = 'steward-cli'

/** Who manages people, and reads their addresses, says so by `--scope`. */
const unusual = new Set(['account:write', 'codehost:email'])

/**
 * @returns what `ask` may have to propose: the assistant says that it cannot what this sign-in has no scope for. The
 *   page asks the person whether it may approve, too; no metadata lists that, because no other program is given it
 */
const chooseScopes = ({ scopes_supported: known = [] }: Metadata): string | undefined => known.length === 0
  ? undefined
  : [...new Set([...known, 'approvals:write'])].filter((scope) => !unusual.has(scope)).join(' ')

/**
 * Asks for the scopes that are given, or for the usual ones; the person takes away what they like.
 * @returns a code, with the client's id that it is for
 * @throws Ended
 */
const begin = async (metadata: Metadata, { clientId, scope }: LoginOptions) => {
  const start = (id: string) => startDevice(metadata, id, scope ?? chooseScopes(metadata))
  const id = clientId ?? ownClientId
  const device = await start(id)
  if (!isError(device)) return { id, device }
  const { registration_endpoint: endpoint } = metadata
  if (device.error !== 'invalid_client' || clientId !== undefined || endpoint === undefined) return refused(device)
  const registered = await register(endpoint)
  const again = await start(registered)
  return isError(again) ? refused(again) : { id: registered, device: again }
}

const showCode = (terminal: Terminal, { user_code, verification_uri, verification_uri_complete: whole }: Device) => {
  const isPage = (url: unknown) => typeof url === 'string' && /^https?:\/\//.test(url)
  if (!isPage(verification_uri) || (whole !== undefined && !isPage(whole))) {
    throw new Ended(exits.failed, 'Not signed in: the server names no page to enter the code')
  }
  terminal.note([
    `Open ${oneLine(verification_uri)} and enter ${terminal.paint(oneLine(user_code), 'bold')}`,
    ...(whole === undefined ? [] : [`or open ${oneLine(whole)}`]),
    'Approve there only if you began this yourself. Waiting …'
  ])
}

const signIn = async (terminal: Terminal, server: string, options: LoginOptions): Promise<Credentials> => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  try {
    const metadata = await discover(server)
    const { id, device } = await begin(metadata, options)
    showCode(terminal, device)
    const tokens = await pollDevice(metadata, id, device, controller.signal)
    const { token_endpoint, revocation_endpoint } = metadata
    return toCredentials(tokens, {
      client_id: id,
      token_endpoint,
      ...(revocation_endpoint !== undefined && { revocation_endpoint })
    })
  } finally {
    process.off('SIGINT', stop)
  }
}

/** Signs in by a page in any browser, or takes a token that a person has made; what works is kept. */
export const login = async (terminal: Terminal, options: LoginOptions): Promise<number> => {
  const file = new CredentialsFile(terminal.env)
  const server = chooseServer(options, file, terminal.env)
  const given = options.token === '-' ? await terminal.readInput() : options.token
  const credentials = given === undefined ? await signIn(terminal, server, options) : { token: given }
  const { token } = credentials
  const steward = createSteward({ baseUrl: server, token })
  const me = await body(steward.api.GET('/account/me')).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error
  })
  file.keep(server, credentials)
  terminal.note(`Signed in to ${server}${me ? ` as ${oneLine(me.user.name)}` : ''}.`)
  if (me && approves(me)) terminal.note('It may approve in your name.')
  else if (me) {
    terminal.note(['It reads, chats and proposes, and cannot approve in your name.',
      `Approve in the browser: ${server}/#/inbox`])
  }
  return exits.done
}

/** Ends a sign-in here and at the server; a token that a person has made stays valid until they revoke it. */
export const logout = async (terminal: Terminal, options: ServerOptions): Promise<number> => {
  const file = new CredentialsFile(terminal.env)
  const server = chooseServer(options, file, terminal.env)
  const stored = file.read().servers[server]
  if (!stored) throw new Ended(exits.signedOut, `Not signed in to ${server}`)
  file.forget(server)
  await revoke(stored).catch(() => terminal.note('Steward did not answer: end the sign-in in its settings, too.'))
  terminal.note(`Signed out of ${server}.`)
  if (stored.token_endpoint === undefined) {
    terminal.note('The token itself is valid until it is revoked in the settings.')
  }
  return exits.done
}

/** Lists the servers that are signed in to, or makes one the default. */
export const servers = (terminal: Terminal, chosen: string | undefined, json: boolean): number => {
  const file = new CredentialsFile(terminal.env)
  if (chosen !== undefined) {
    const server = chooseServer({ server: chosen }, file, terminal.env)
    if (!file.read().servers[server]) throw new Ended(exits.signedOut, `Not signed in to ${server}`)
    file.setDefault(server)
  }
  const { default: first, servers: known } = file.read()
  const rows = Object.keys(known).map((server) => ({ server, default: server === first }))
  if (json) terminal.json(rows)
  else terminal.print(rows.map(({ server, default: isFirst }) => `${isFirst ? '*' : ' '} ${server}`))
  return exits.done
}

/** Says who the credentials are. */
export const whoami = async (terminal: Terminal, options: ServerOptions, json: boolean): Promise<number> => {
  const { server, me } = connect(terminal, options)
  const answer = await me()
  const mark = approves(answer) ? ', may approve' : ', cannot approve'
  if (json) terminal.json({ server, ...answer })
  else terminal.print(`${oneLine(answer.user.name)}, ${answer.role}, at ${server}, by ${answer.via}${mark}`)
  return exits.done
}
