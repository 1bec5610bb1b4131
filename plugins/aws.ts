import fp from 'fastify-plugin'
import { AwsClients, type Aws } from '../lib/aws/account-clients.js'
import { saveSessionMarks } from '../db/cloud/accounts.js'
import { Effects, recordEffects } from '../db/effects.js'
import { messageOf } from '../schemas/unknown.js'
import { loopbackKeys, type KeySource } from '../lib/aws/credentials.js'

declare module 'fastify' {
  interface FastifyInstance { aws: Aws }
}

const fromChain = (): KeySource => {
  let chain: Promise<KeySource> | undefined
  return async () => {
    chain ??= import('@aws-sdk/credential-providers').then(({ fromNodeProviderChain }) => fromNodeProviderChain())
    const found = await (await chain)()
    return { ...found }
  }
}

const isLoopback = (url: string) => /^https?:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])([:/]|$)/.test(url)

export default fp(async (app) => {
  const { AWS_ENDPOINT_URL, awsAmbient } = app.config
  const endpoint = AWS_ENDPOINT_URL ?? app.sandbox.aws
  const isSandboxed = app.sandbox.aws !== undefined || (endpoint !== undefined && isLoopback(endpoint))
  const dummy = isSandboxed && !awsAmbient
    ? loopbackKeys
    : undefined
  const clients = new AwsClients({
    endpoint,
    ambient: dummy ? async () => dummy : fromChain(),
    decrypt: (context, encrypted) => app.secrets.decrypt(context, encrypted),
    // Not part of the write: what it changes here says nothing of what AWS did.
    saveMarks: (account, marks) => recordEffects(new Effects(), () => saveSessionMarks(app.db, account, marks))
      .catch((error: unknown) => {
        app.log.warn({ account: account.id, reason: messageOf(error) }, 'the marks of a session could not be kept')
      })
  })
  app.decorate('aws', clients)
  app.addHook('onClose', () => clients.close())
}, { name: 'aws', dependencies: ['config', 'secrets', 'sandbox'] })
