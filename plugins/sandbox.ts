import fp from 'fastify-plugin'
import { namesCodehost } from './codehost/addresses.js'
import { publicOrigin } from './public-origin.js'
import { startStandIn, type StandIn } from './stand-in.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Which providers a stand-in answers for, and where. */
    sandbox: { providers: string[], anthropic?: string, aws?: string, codehost?: string }
  }
}

const buildAnthropic = async () => (await import('../sandbox/anthropic/index.js')).buildAnthropicSandbox()
const buildAws = async () => (await import('../sandbox/aws/index.js')).buildAwsSandbox()
const buildCodehost = async () => (await import('../sandbox/codehost/index.js')).buildCodehostSandbox()

/** Says to the stand-in where webhooks go, which is known once we listen. */
const sendWebhooksTo = async (standIn: string, origin: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ url: `${origin}/webhooks/codehost` })
  await fetch(`${standIn}/__sandbox/hook`, { method: 'PUT', headers, body })
}

/** Starts a stand-in for each provider that has no credentials. They listen on loopback only. */
export default fp(async (app) => {
  const { SANDBOX, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, AWS_ENDPOINT_URL, awsAmbient } = app.config
  const standIns: StandIn[] = []
  app.decorate('sandbox', { providers: [] })
  let closing = false
  app.addHook('onClose', async () => {
    closing = true
    await Promise.all(standIns.map((standIn) => standIn.close()))
  })
  app.addHook('onListen', async () => {
    for (const standIn of standIns) standIn.warm().catch((error: unknown) => app.log.error(error, 'stand-in not built'))
    if (app.sandbox.codehost === undefined) return
    sendWebhooksTo(app.sandbox.codehost, publicOrigin(app))
      // A stop right after the start takes the stand-in away in mid-request: no trouble to tell of.
      .catch((error: unknown) => closing || app.log.error(error, 'the stand-in does not know where webhooks go'))
  })
  const start = async (provider: 'anthropic' | 'aws' | 'codehost', build: typeof buildAnthropic) => {
    const standIn = await startStandIn(build)
    standIns.push(standIn)
    app.sandbox[provider] = standIn.url
    app.sandbox.providers.push(provider)
  }
  if (SANDBOX === 'off') return
  if (!ANTHROPIC_API_KEY && !ANTHROPIC_BASE_URL) await start('anthropic', buildAnthropic)
  if (!awsAmbient && !AWS_ENDPOINT_URL) await start('aws', buildAws)
  if (!namesCodehost(app.config)) await start('codehost', buildCodehost)
  if (standIns.length === 0) return
  const { providers: sandboxed } = app.sandbox
  app.log.warn({ sandboxed }, 'sandbox: these providers are stand-ins on loopback, not the real ones')
  if (app.sandbox.codehost === undefined || app.config.CODEHOST_WEBHOOK_SECRET === undefined) return
  app.log.warn('CODEHOST_WEBHOOK_SECRET is not used: no code host is named (CODEHOST_CLIENT_ID or CODEHOST_URL)')
}, { name: 'sandbox', dependencies: ['config'] })
