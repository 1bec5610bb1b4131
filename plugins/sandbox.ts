import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { AwsWorld, CodehostWorld, Served } from 'steward-sandbox'
import { namesCodehost } from '../lib/codehost/addresses.js'
import { isLoopback, publicOrigin } from '../lib/http/addresses.js'

/** A Slack that is played on this machine: an app there, and what its people see. */
interface SlackStandIn {
  apiUrl: string
  token: string
  signingSecret: string
  /** @returns the page of one person there: what they were sent, with its buttons */
  pageOf: (userId: string) => string
}

/** A server of mail that is played on this machine. */
interface MailStandIn {
  url: string
  from: string
  /** @returns the page with the mails to one address */
  pageOf: (address: string) => string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Which providers the sandbox answers for, and where. */
    sandbox: {
      providers: string[]
      anthropic?: string
      aws?: string
      codehost?: string
      /** What there is in them from the start. */
      worlds: { aws?: AwsWorld, codehost?: CodehostWorld }
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

/** The emulators are a package that an installation with real providers need not have. */
const load = () => import('steward-sandbox').catch((error: unknown) => {
  throw new Error('Providers have no credentials, and this installation has no sandbox to answer for them: name ' +
    'them, or set SANDBOX=off', { cause: error })
})

type Sandbox = Awaited<ReturnType<typeof load>>

/** @returns who a person is in the Slack that is played: the same after a restart, for a link outlives it */
const slackUserOf = (userId: string): string =>
  `U${createHash('sha256').update(userId).digest('hex').slice(0, 10).toUpperCase()}`

const startSlack = async (sandbox: Sandbox, app: FastifyInstance): Promise<Served> => {
  const [token, signingSecret] = [`xoxb-${randomBytes(16).toString('hex')}`, randomBytes(32).toString('hex')]
  const slack = await sandbox.startSlack({ token, signingSecret, origin: () => publicOrigin(app) })
  const { apiUrl } = slack
  app.sandbox.slack = { apiUrl, token, signingSecret, pageOf: (userId) => slack.pageOf(slackUserOf(userId)) }
  return slack
}

const startMail = async (sandbox: Sandbox, app: FastifyInstance): Promise<Served> => {
  const mail = await sandbox.startMail(randomBytes(32).toString('hex'))
  app.sandbox.mail = { url: mail.smtpUrl, from: 'steward@sandbox.example', pageOf: mail.pageOf }
  return mail
}

const startChannels = (sandbox: Sandbox, app: FastifyInstance): Promise<Served[]> => Promise.all([
  ...(app.config.SLACK_BOT_TOKEN === undefined ? [startSlack(sandbox, app)] : []),
  ...(app.config.SMTP_URL === undefined ? [startMail(sandbox, app)] : [])
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
  const sandboxServers: Served[] = []
  app.decorate('sandbox', { providers: [], worlds: {}, control: {} })
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
  const add = <S extends Served>(provider: Provider, served: S): S => {
    sandboxServers.push(served)
    app.sandbox.control[provider] = served.controlUrl
    app.sandbox[provider] = served.url
    app.sandbox.providers.push(provider)
    return served
  }
  if (SANDBOX === 'off') return
  const lacks = {
    model: !model,
    aws: !awsAmbient && !AWS_ENDPOINT_URL,
    codehost: !namesCodehost(app.config)
  }
  const { SLACK_BOT_TOKEN, SMTP_URL } = app.config
  const lacksChannel = isAtHome(app) && (SLACK_BOT_TOKEN === undefined || SMTP_URL === undefined)
  if (!lacksChannel && !Object.values(lacks).includes(true)) return
  const sandbox = await load()
  if (lacks.model) add('anthropic', await sandbox.startAnthropic())
  if (lacks.aws) app.sandbox.worlds.aws = add('aws', await sandbox.startAws()).world
  if (lacks.codehost) {
    const webhookSecret = randomBytes(32).toString('hex')
    app.sandbox.worlds.codehost = add('codehost', await sandbox.startCodehost(webhookSecret)).world
    // What others can reach takes no webhook of a world that is played.
    if (isLoopback(app.config.PUBLIC_URL)) app.sandbox.webhookSecret = webhookSecret
  }
  if (isAtHome(app)) sandboxServers.push(...await startChannels(sandbox, app))
  if (sandboxServers.length > 0) warn(app)
}, { name: 'sandbox', dependencies: ['config'] })
