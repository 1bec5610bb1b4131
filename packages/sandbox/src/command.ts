import { randomBytes } from 'node:crypto'
import { startAnthropic, startAws, startCodehost, startMail, type Served } from './index.js'

/** What the command says of an emulator, in one line of JSON. */
export interface Line extends Record<string, unknown> { name: string, url: string }

export interface Started { line: Line, close: () => Promise<void> }

const addressesOf = ({ url, controlUrl }: Served) => ({ url, control_url: controlUrl })

const newSecret = (): string => randomBytes(32).toString('hex')

const starters: Record<string, () => Promise<Omit<Line, 'name'> & { url: string, close: () => Promise<void> }>> = {
  anthropic: async () => {
    const served = await startAnthropic()
    return { ...addressesOf(served), close: served.close }
  },
  aws: async () => {
    const { world: { accountId, regions }, ...served } = await startAws()
    return { ...addressesOf(served), account_id: accountId, regions, close: served.close }
  },
  codehost: async () => {
    const webhookSecret = newSecret()
    const { world: { apiUrl, client, account, tokenOf }, ...served } = await startCodehost(webhookSecret)
    const opens = { client, token: tokenOf(account.login), webhook_secret: webhookSecret }
    return { ...addressesOf(served), api_url: apiUrl, ...opens, close: served.close }
  },
  openid: async () => {
    const sandbox = await (await import('./openid/index.js')).startOpenidSandbox()
    return { url: sandbox.issuer, close: () => sandbox.close() }
  },
  slack: async () => {
    const [token, signingSecret] = ['xoxb-sandbox', newSecret()]
    const { url, close } = await (await import('./slack/index.js')).startSlackSandbox(token, signingSecret)
    return { url, token, signing_secret: signingSecret, close }
  },
  smtp: async () => {
    const { smtpUrl, close } = await startMail(newSecret())
    return { url: smtpUrl, close }
  }
}

export const names = Object.keys(starters)

/** @throws when a name is none of ours, before anything listens */
export const startAll = async (asked: string[]): Promise<Started[]> => {
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new Error(`There is no sandbox named ${unknown.join(', ')}; there are ${names.join(', ')}`)
  }
  const wanted = names.filter((name) => asked.length === 0 || asked.includes(name))
  return await Promise.all(wanted.flatMap((name) => starters[name] ?? []).map(async (start, at) => {
    const { close, ...line } = await start()
    return { line: { name: wanted[at] ?? '', ...line }, close }
  }))
}
