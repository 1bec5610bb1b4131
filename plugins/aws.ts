import fp from 'fastify-plugin'
import type { AccountRow } from '../db/cloud/accounts.js'
import { AccountUnusable } from '../schemas/cloud/errors.js'
import { Bucket } from './aws/bucket.js'
import { makeClient, perSecond, type Mode, type ServiceName, type Services } from './aws/clients.js'
import { assumeRole, HeldKeys, type KeySource, type Keys } from './aws/credentials.js'
import { guard } from './aws/guard.js'
import { Inventory } from './aws/inventory.js'

/** What the clients need of an account's row; a test of new credentials passes one that is not stored yet. */
export type AwsAccount = Pick<AccountRow,
  'id' | 'auth' | 'secret' | 'credential_version' | 'default_region' | 'partition'>

export interface Aws {
  /**
   * A real SDK client, kept for the account, region and service. Its errors are ours.
   * @param mode `write` sends once and repeats only what AWS throttled
   */
  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode?: Mode):
  Promise<Services[Name]>
  /** What AWS said lately; see Inventory. */
  inventory: Inventory
  /** @returns the ARN of the identity that this server itself runs as, for trust policies; null when it has none */
  identity (region: string): Promise<string | null>
  /** Drops the clients of an account whose credentials changed. */
  forget (accountId: string): void
}

declare module 'fastify' {
  interface FastifyInstance { aws: Aws }
}

interface Setup {
  endpoint: string | undefined
  ambient: KeySource
  open: (place: string, sealed: Buffer) => string
}

const costRegions: Record<string, string> =
  { 'aws': 'us-east-1', 'aws-cn': 'cn-northwest-1', 'aws-us-gov': 'us-gov-west-1' }

class AwsClients implements Aws {
  readonly inventory = new Inventory()
  readonly #clients = new Map<string, Promise<Services[ServiceName]>>()
  readonly #keys = new Map<string, HeldKeys>()
  readonly #buckets = new Map<string, Bucket>()
  #identity: Promise<string | null> | undefined

  constructor (private readonly setup: Setup) {}

  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode: Mode = 'read') {
    // Cost Explorer has one region a partition, whatever region is asked for.
    const where = service === 'costs' ? costRegions[account.partition] ?? region : region
    const key = [account.id, account.credential_version, where, service, mode].join('|')
    const held = this.#clients.get(key)
    // The key holds the service's name, so the client is of that service.
    if (held) return held as Promise<Services[Name]>
    const made = this.#make(service, account, where, mode)
    this.#clients.set(key, made)
    made.catch(() => this.#clients.delete(key))
    return made
  }

  async #make<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode: Mode) {
    const keys = this.#keysOf(account)
    const { endpoint } = this.setup
    const client = await makeClient(service, { region, endpoint, credentials: keys.get, mode })
    const bucket = this.#bucket(`${account.id}|${region}|${service}`, perSecond[service])
    return guard(client, { account_id: account.id, region, service, mode, bucket, keys })
  }

  identity (region: string): Promise<string | null> {
    this.#identity ??= this.#askIdentity(region)
    this.#identity.catch(() => { this.#identity = undefined })
    return this.#identity.catch(() => null)
  }

  async #askIdentity (region: string): Promise<string | null> {
    const sts = await this.#sts(region)
    const { Arn } = await sts.getCallerIdentity({})
    sts.destroy()
    return Arn ?? null
  }

  forget (accountId: string) {
    for (const [key, client] of this.#clients) {
      if (!key.startsWith(`${accountId}|`)) continue
      this.#clients.delete(key)
      client.then((gone) => gone.destroy()).catch(() => undefined)
    }
    for (const key of this.#keys.keys()) if (key.startsWith(`${accountId}|`)) this.#keys.delete(key)
    this.inventory.forget(`${accountId}|`)
  }

  async close () {
    const clients = await Promise.allSettled(this.#clients.values())
    for (const made of clients) if (made.status === 'fulfilled') made.value.destroy()
  }

  #keysOf (account: AwsAccount): HeldKeys {
    const key = `${account.id}|${account.credential_version}`
    const held = this.#keys.get(key) ?? new HeldKeys(this.#source(account))
    this.#keys.set(key, held)
    return held
  }

  #source ({ id, auth, secret, default_region: region }: AwsAccount): KeySource {
    if (auth.type === 'ambient') return this.setup.ambient
    if (auth.type === 'assume_role') return assumeRole({ ...auth, account_id: id }, () => this.#sts(region))
    return async () => {
      if (!secret) throw AccountUnusable('The account has no keys', { account_id: id })
      // Sealed by us for this place, so it is what we sealed.
      return JSON.parse(this.setup.open(`cloud_account|${id}|secret`, secret)) as Keys
    }
  }

  #sts (region: string) {
    return makeClient('sts', { region, endpoint: this.setup.endpoint, credentials: this.setup.ambient, mode: 'read' })
  }

  #bucket (key: string, rate: number): Bucket {
    const held = this.#buckets.get(key) ?? new Bucket(rate)
    this.#buckets.set(key, held)
    return held
  }
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
  const standIn = app.sandbox.aws !== undefined || (endpoint !== undefined && isLoopback(endpoint))
  const dummy = standIn && !awsAmbient ? (await import('../sandbox/aws/constants.js')).SANDBOX_CREDENTIALS : undefined
  const clients = new AwsClients({
    endpoint,
    ambient: dummy ? async () => dummy : fromChain(),
    open: (place, sealed) => app.secrets.open(place, sealed)
  })
  app.decorate('aws', clients)
  app.addHook('onClose', () => clients.close())
}, { name: 'aws', dependencies: ['config', 'secrets', 'sandbox'] })
