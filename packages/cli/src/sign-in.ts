import type { Credentials } from './credentials.js'
import { Ended, exits } from './exits.js'
import {
  discover, isError, pollDevice, refused, register, startDevice, toCredentials, type Device,
  type Metadata
} from './oauth.js'
import type { Terminal } from './terminal.js'
import { oneLine } from './text.js'

export interface SignInOptions { clientId?: string | undefined, scope?: string | undefined }

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
const begin = async (metadata: Metadata, { clientId, scope }: SignInOptions) => {
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

/** Signs in by a page in any browser. @throws Ended */
export const signIn = async (terminal: Terminal, server: string, options: SignInOptions): Promise<Credentials> => {
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
