import { body, createSteward, Problem, type Schemas, type Steward } from 'steward-client'
import { CredentialsFile, serverOf } from './credentials.js'
import { Ended, exits } from './exits.js'
import { refresh } from './oauth.js'
import type { Terminal } from './terminal.js'

export interface ServerOptions { server?: string | undefined, token?: string | undefined }

export interface Connection {
  server: string
  steward: Steward
  me: () => Promise<Schemas['Me']>
  /** Whether the token decides approvals; undefined when it may not read that: then Steward refuses it. */
  mayApprove: () => Promise<boolean | undefined>
  /** @returns the address of a page of the browser client */
  page: (path: string) => string
}

/** A sign-in's token is renewed this long before it ends. */
const earlyMs = 30_000

const isLocal = (server: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(server)

/** @returns the address of the server that a command is for */
export const chooseServer = ({ server }: ServerOptions, file: CredentialsFile, env: Terminal['env']): string => {
  const chosen = server ?? env.STEWARD_SERVER
  if (chosen === undefined || chosen === '') return file.read().default ?? 'http://localhost:3000'
  if (/^https?:\/\//.test(chosen)) return serverOf(chosen)
  const known = Object.keys(file.read().servers).filter((url) => new URL(url).host === chosen)
  return known.length === 1 && known[0] !== undefined ? known[0] : serverOf(chosen)
}

/** @returns the stored token, renewed when it is about to end or was refused */
const storedToken = (file: CredentialsFile, server: string) => async (expired: boolean): Promise<string> => {
  const read = () => {
    const found = file.read().servers[server]
    if (!found) throw new Ended(exits.signedOut, `Not signed in to ${server}: run steward login --server ${server}`)
    return found
  }
  const before = read()
  const isOld = (at: number | undefined) => at !== undefined && at < Date.now() + earlyMs
  if (before.refresh_token === undefined || (!expired && !isOld(before.expires_at))) return before.token
  return file.locked(async () => {
    const now = read()
    // Another process has renewed it meanwhile: the old refresh token is used up.
    if (now.token !== before.token) return now.token
    const renewed = await refresh(now)
    if (!renewed) throw new Ended(exits.signedOut, `The sign-in to ${server} has ended: run steward login again`)
    file.keep(server, renewed)
    return renewed.token
  })
}

/** Longer than what Steward waits for by itself, such as `wait_s`. */
const longestMs = 90_000

/** A server that takes a request and answers nothing, or half, ends the command; a stream has a limit of its own. */
export const fetchInTime = async (request: Request): Promise<Response> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), longestMs)
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, late.signal]) })
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    // A Response of these statuses has no body.
    const bytes = [204, 205, 304].includes(response.status) ? null : await response.arrayBuffer()
    const { status, statusText, headers } = response
    return new Response(bytes, { status, statusText, headers })
  } catch (error) {
    if (!late.signal.aborted || request.signal.aborted) throw error
    throw new Ended(exits.unreachable, `Steward has not answered within ${longestMs / 1_000} seconds`)
  } finally {
    clearTimeout(timer)
  }
}

/** The token is valid, and without the scope to read whose it is. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'insufficient_scope' || error.code === 'insufficient_role')

const deciding: ReadonlySet<Schemas['Me']['role']> = new Set(['operator', 'member', 'approver', 'admin'])

/** @returns whether this credential decides any approval: its scopes let it, and its person has a role that may */
export const approves = ({ assistant, scopes, role, rights }: Schemas['Me']): boolean =>
  (scopes?.includes('approvals:write') ?? !assistant) &&
    [role, ...rights.map((right) => right.role)].some((held) => deciding.has(held))

/** @returns the API of the chosen server, with the credentials for it */
export const connect = (terminal: Terminal, options: ServerOptions): Connection => {
  const file = new CredentialsFile(terminal.env)
  const server = chooseServer(options, file, terminal.env)
  const given = options.token ?? terminal.env.STEWARD_TOKEN
  if (server.startsWith('http://') && !isLocal(server)) {
    terminal.note(terminal.paint(`${server} is not encrypted: whoever is on the way reads the token`, 'yellow'))
  }
  const steward = createSteward({
    baseUrl: server,
    token: given !== undefined && given !== '' ? given : storedToken(file, server),
    headers: { 'user-agent': 'steward-cli' },
    fetch: fetchInTime
  })
  const me = () => body(steward.api.GET('/account/me'))
  const readRight = async (): Promise<boolean | undefined> => {
    try {
      return approves(await me())
    } catch (error) {
      if (isUnreadable(error)) return undefined
      throw error
    }
  }
  let right: Promise<boolean | undefined> | undefined
  return {
    server,
    steward,
    me,
    mayApprove: () => {
      const reading = right ?? readRight()
      right = reading
      return reading
    },
    page: (path) => `${server}/#${path}`
  }
}
