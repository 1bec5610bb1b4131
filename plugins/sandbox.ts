import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { namesCodehost } from '../lib/codehost/addresses.js'
import { isLoopback, publicOrigin } from '../lib/http/public-origin.js'
import type { MailStandIn, SlackStandIn } from '../lib/sandbox/stand-ins.js'
import { startSandboxServer, type Build, type SandboxServer } from '../lib/sandbox/start.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Which providers the sandbox answers for, and where. */
    sandbox: {
      providers: string[]
      anthropic?: string
      aws?: string
      codehost?: string
      /** Known to the sandbox of this process alone, and new at each start; undefined = no webhook is taken. */
      webhookSecret?: string
      /** Where people of this machine see what channels send; undefined = real ones, or none. */
      slack?: SlackStandIn
      mail?: MailStandIn
      /** Where each is steered. */
      control: Partial<Record<Provider, string>>
    }
  }
}

type Provider = 'anthropic' | 'aws' | 'codehost'

const buildAnthropic: Build = async (options) =>
  (await import('../packages/sandbox/src/anthropic/index.js')).buildAnthropicSandbox(options)
const buildAws: Build = async (options) => (await import('../packages/sandbox/src/aws/index.js')).buildAwsSandbox(options)
const buildCodehost = (webhookSecret: string): Build => async (options) =>
  (await import('../packages/sandbox/src/codehost/index.js')).buildCodehostSandbox({ ...options, webhookSecret })

/** @returns who a person is in the Slack that is played: the same after a restart, for a link outlives it */
const slackUserOf = (userId: string): string =>
  `U${createHash('sha256').update(userId).digest('hex').slice(0, 10).toUpperCase()}`

type Server = Pick<SandboxServer, 'warm' | 'close'>

const startSlack = async (app: FastifyInstance): Promise<Server> => {
  const [token, signingSecret] = [`xoxb-${randomBytes(16).toString('hex')}`, randomBytes(32).toString('hex')]
  const origin = () => publicOrigin(app)
  const server = await startSandboxServer(async () =>
    (await import('../packages/sandbox/src/slack/index.js')).buildSlackSandbox({ token, signingSecret, origin }))
  const { keyOf } = await import('../packages/sandbox/src/keyed-page.js')
  app.sandbox.slack = {
    apiUrl: `${server.url}/api/`,
    token,
    signingSecret,
    pageOf: (userId) => `${server.url}/people/${keyOf(signingSecret, slackUserOf(userId))}`
  }
  return server
}

const startMail = async (app: FastifyInstance): Promise<Server> => {
  const secret = randomBytes(32).toString('hex')
  const smtp = await (await import('../packages/sandbox/src/smtp/index.js')).startSmtpSandbox()
  const server = await startSandboxServer(async () =>
    (await import('../packages/sandbox/src/smtp/mailboxes.js')).buildMailboxes(smtp.mails, secret))
  const { keyOf } = await import('../packages/sandbox/src/keyed-page.js')
  app.sandbox.mail = {
    url: smtp.url,
    from: 'steward@sandbox.example',
    pageOf: (address) => `${server.url}/mail/${keyOf(secret, address)}`
  }
  return { warm: server.warm, close: async () => { await Promise.all([smtp.close(), server.close()]) } }
}

const startChannels = (app: FastifyInstance): Promise<Server[]> => Promise.all([
  ...(app.config.SLACK_BOT_TOKEN === undefined ? [startSlack(app)] : []),
  ...(app.config.SMTP_URL === undefined ? [startMail(app)] : [])
])

/** What channels send is shown to whoever sits at this machine: what others reach takes part in no game. */
const isAtHome = ({ config: { HOST, PUBLIC_URL } }: FastifyInstance): boolean =>
  isLoopback(PUBLIC_URL) && isLoopback(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`)

/** Configures where the sandbox sends webhooks, which is known once we listen. */
const sendWebhooksTo = async (control: string, origin: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ url: `${origin}/webhooks/codehost` })
  await fetch(`${control}/hook`, { method: 'PUT', headers, body })
}

/** After the first answers of a new process: who asks before that builds the sandbox that they need. */
const warmAfterMs = 1_000

/** Names in the log what is not real, and what of the settings therefore means nothing. */
const warn = (app: FastifyInstance): void => {
  const { providers, slack, mail } = app.sandbox
  const sandboxed = [...providers, ...(slack ? ['slack'] : []), ...(mail ? ['mail'] : [])]
  app.log.warn({ sandboxed }, 'sandbox: these providers are sandboxes on loopback, not the real ones')
  if (app.sandbox.codehost === undefined) return
  if (app.sandbox.webhookSecret === undefined) {
    app.log.warn('no webhook is taken: PUBLIC_URL is not of this machine, and no code host is named ' +
      '(CODEHOST_CLIENT_ID or CODEHOST_URL)')
  }
  if (app.config.CODEHOST_WEBHOOK_SECRET === undefined) return
  app.log.warn('CODEHOST_WEBHOOK_SECRET is not used: no code host is named (CODEHOST_CLIENT_ID or CODEHOST_URL)')
}

/** Starts a sandbox for each provider that has no credentials. They listen on loopback only. */
export default fp(async (app) => {
  const { SANDBOX, provider: model, AWS_ENDPOINT_URL, awsAmbient } = app.config
  const sandboxServers: Server[] = []
  app.decorate('sandbox', { providers: [], control: {} })
  let closing = false
  let timer: NodeJS.Timeout | undefined
  const warm = () => {
    for (const server of sandboxServers) {
      server.warm().catch((error: unknown) => app.log.error(error, 'sandbox server not built'))
    }
  }
  app.addHook('onClose', async () => {
    closing = true
    clearTimeout(timer)
    await Promise.all(sandboxServers.map((server) => server.close()))
  })
  app.addHook('onListen', async () => {
    timer = setTimeout(warm, warmAfterMs).unref()
    if (app.sandbox.control.codehost === undefined || app.sandbox.webhookSecret === undefined) return
    sendWebhooksTo(app.sandbox.control.codehost, publicOrigin(app))
      // A stop right after the start ends the sandbox in mid-request: not worth a log line.
      .catch((error: unknown) => closing || app.log.error(error, 'the sandbox could not be configured for webhooks'))
  })
  const start = async (provider: Provider, build: Build) => {
    const sandboxServer = await startSandboxServer(build)
    sandboxServers.push(sandboxServer)
    app.sandbox.control[provider] = sandboxServer.controlUrl
    app.sandbox[provider] = sandboxServer.url
    app.sandbox.providers.push(provider)
  }
  if (SANDBOX === 'off') return
  if (!model) await start('anthropic', buildAnthropic)
  if (!awsAmbient && !AWS_ENDPOINT_URL) await start('aws', buildAws)
  if (!namesCodehost(app.config)) {
    const webhookSecret = randomBytes(32).toString('hex')
    await start('codehost', buildCodehost(webhookSecret))
    // What others can reach takes no webhook of a world that is played.
    if (isLoopback(app.config.PUBLIC_URL)) app.sandbox.webhookSecret = webhookSecret
  }
  if (isAtHome(app)) sandboxServers.push(...await startChannels(app))
  if (sandboxServers.length > 0) warn(app)
}, { name: 'sandbox', dependencies: ['config'] })
