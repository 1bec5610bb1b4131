import { SANDBOX_ACCOUNT_ID, SANDBOX_REGIONS } from './aws/constants.js'
import {
  API_PREFIX, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_USERS, sandboxToken
} from './codehost/constants.js'
import { keyOf } from './keyed-page.js'
import { serveLazily, type Served } from './serve-lazily.js'

export { controlPath, newControlToken } from './control-path.js'
export type { Served } from './serve-lazily.js'

/*
 * The emulators for whoever knows only addresses: each listens on loopback, and its modules are loaded with its first
 * request. A test that steers one from within imports it by its folder: `steward-sandbox/anthropic`.
 */

export const startAnthropic = (): Promise<Served> =>
  serveLazily(async (options) => (await import('./anthropic/index.js')).buildAnthropicSandbox(options))

/** What an AWS that was started here has from the beginning. */
export interface AwsWorld { accountId: string, regions: readonly [string, ...string[]] }

export const startAws = async (): Promise<Served & { world: AwsWorld }> => {
  const served = await serveLazily(async (options) => (await import('./aws/index.js')).buildAwsSandbox(options))
  return { ...served, world: { accountId: SANDBOX_ACCOUNT_ID, regions: SANDBOX_REGIONS } }
}

/** What a code host that was started here has from the beginning. Its secrets open nothing else. */
export interface CodehostWorld {
  apiUrl: string
  client: { id: string, secret: string }
  /** Who is signed in from the start, where somebody has to be. */
  account: { id: string, login: string }
  /** @returns a token that is valid after every start, and does not expire */
  tokenOf: (login: string) => string
}

/** @param webhookSecret what it signs webhooks with */
export const startCodehost = async (webhookSecret: string): Promise<Served & { world: CodehostWorld }> => {
  const served = await serveLazily(async (options) =>
    (await import('./codehost/index.js')).buildCodehostSandbox({ ...options, webhookSecret }))
  return {
    ...served,
    world: {
      apiUrl: served.url + API_PREFIX,
      client: { id: SANDBOX_CLIENT_ID, secret: SANDBOX_CLIENT_SECRET },
      account: { id: String(SANDBOX_USERS.octavia), login: 'octavia' },
      tokenOf: sandboxToken
    }
  }
}

/** A Slack with one app: its people see on a page each what they were sent, with its buttons. */
export interface SlackServed extends Served { apiUrl: string, pageOf: (person: string) => string }

/** @param origin of the app, where clicks are sent to */
export const startSlack = async (app: { token: string, signingSecret: string, origin: () => string }):
Promise<SlackServed> => {
  const served = await serveLazily(async () => (await import('./slack/index.js')).buildSlackSandbox(app))
  const pageOf = (person: string) => `${served.url}/people/${keyOf(app.signingSecret, person)}`
  return { ...served, apiUrl: `${served.url}/api/`, pageOf }
}

/** A server of mail: what came for an address stands on its page. */
export interface MailServed extends Served { smtpUrl: string, pageOf: (address: string) => string }

/** @param secret what the addresses of the pages are made with, so that nobody guesses one */
export const startMail = async (secret: string): Promise<MailServed> => {
  const { startSmtpSandbox } = await import('./smtp/index.js')
  const smtp = await startSmtpSandbox()
  const served = await serveLazily(async () => (await import('./smtp/mailboxes.js')).buildMailboxes(smtp.mails, secret))
  return {
    ...served,
    smtpUrl: smtp.url,
    pageOf: (address) => `${served.url}/mail/${keyOf(secret, address)}`,
    close: async () => { await Promise.all([smtp.close(), served.close()]) }
  }
}
