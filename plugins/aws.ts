import fp from 'fastify-plugin'
import type { AccountRow } from '../db/cloud/accounts.js'
import { AccountUnusable } from '../schemas/cloud/errors.js'
import { keyOfAccount } from '../lib/aws/accounts.js'
import { Bucket } from '../lib/aws/bucket.js'
import { makeClient, perSecond, type Mode, type ServiceName, type Services } from '../lib/aws/clients.js'
import { assumeRole, HeldKeys, type KeySource, type Keys } from '../lib/aws/credentials.js'
import { guard } from '../lib/aws/guard.js'
import { Inventory } from '../lib/aws/inventory.js'
import { sessionNameOf, type Actor } from '../lib/aws/session-name.js'

/** What the clients need of an account's row; a test of new credentials passes one that is not stored yet. */
export type AwsAccount = Pick<AccountRow,
  'workspace_id' | 'id' | 'auth' | 'secret' | 'credential_version' | 'default_region' | 'partition'>

export interface Aws {
  /**
   * A real SDK client, kept for the account, region and service. Its errors are ours.
   * @param mode `write` sends once and repeats only what AWS throttled
   */
  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode?: Mode):
  Promise<Services[Name]>
  /** The same, with writes in sessions of an assumed role that are named after who they are for. */
  actingFor (actor: Actor): Pick<Aws, 'client' | 'inventory'>
  /** Recent answers of AWS; see Inventory. */
  inventory: Inventory
  /** @returns the ARN of the identity that this server itself runs as, for trust policies; null when it has none */
  identity (region: string): Promise<string | null>
  /** Drops the clients of an account that was changed or removed; what still reads through them ends with an error. */
  forget (account: Pick<AccountRow, 'workspace_id' | 'id'>): void
}

declare module 'fastify' {
  interface FastifyInstance { aws: Aws }
}

interface Setup {
  endpoint: string | undefined
  ambient: KeySource
  decrypt: (context: string, encrypted: Buffer) => string
}

const costRegions: Record<string, string> =
  { 'aws': 'us-east-1', 'aws-cn': 'cn-northwest-1', 'aws-us-gov': 'us-gov-west-1' }

const maxSessions = 200

/** Each run has sessions of its own: the oldest go. Nothing is cut off: what still uses one keeps it. */
const dropSessions = (held: Map<string, unknown>): void => {
  const named = [...held.keys()].filter((key) => !key.endsWith('|'))
  for (const key of named.slice(0, Math.max(0, named.length - maxSessions))) held.delete(key)
}

class AwsClients implements Aws {
  readonly inventory = new Inventory()
  readonly #clients = new Map<string, Promise<Services[ServiceName]>>()
  readonly #keys = new Map<string, HeldKeys>()
  readonly #buckets = new Map<string, Bucket>()
  readonly #lives = new Map<string, AbortController>()
  #identity: Promise<string | null> | undefined

  constructor (private readonly setup: Setup) {}

  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode: Mode = 'read') {
    return this.#client(service, account, region, mode, undefined)
  }

  actingFor (actor: Actor) {
    const client: Aws['client'] = (service, account, region, mode = 'read') => {
      const hasSession = mode === 'write' && account.auth.type === 'assume_role'
      return this.#client(service, account, region, mode, hasSession ? sessionNameOf(actor) : undefined)
    }
    return { client, inventory: this.inventory }
  }

  #client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode: Mode,
    session: string | undefined): Promise<Services[Name]> {
    // Cost Explorer has one region a partition, whatever region is asked for.
    const where = service === 'costs' ? costRegions[account.partition] ?? region : region
    const key = [keyOfAccount(account), account.credential_version, where, service, mode, session ?? ''].join('|')
    const held = this.#clients.get(key)
    // The key holds the service's name, so the client is of that service.
    if (held) return held as Promise<Services[Name]>
    const made = this.#make(service, account, where, mode, session)
    this.#clients.set(key, made)
    dropSessions(this.#clients)
    made.catch(() => this.#clients.delete(key))
    return made
  }

  async #make<Name extends ServiceName> (service: Name, account: AwsAccount, region: string, mode: Mode,
    session: string | undefined) {
    const keys = this.#keysOf(account, session)
    const { signal } = this.#life(keyOfAccount(account))
    const { endpoint } = this.setup
    const client = await makeClient(service, { region, endpoint, credentials: keys.get, mode })
    const bucket = this.#bucket(`${keyOfAccount(account)}|${region}|${service}`, perSecond[service])
    return guard(client, { account_id: account.id, region, service, mode, bucket, keys, signal })
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

  forget (account: Pick<AccountRow, 'workspace_id' | 'id'>) {
    const held = keyOfAccount(account)
    this.#lives.get(held)?.abort()
    this.#lives.delete(held)
    for (const [key, client] of this.#clients) {
      if (!key.startsWith(`${held}|`)) continue
      this.#clients.delete(key)
      // A write that is on its way is not cut off: its outcome would be unknown.
      if (!key.includes('|write|')) client.then((gone) => gone.destroy()).catch(() => undefined)
    }
    for (const key of this.#keys.keys()) if (key.startsWith(`${held}|`)) this.#keys.delete(key)
    this.inventory.forget(`${held}|`)
  }

  async close () {
    const clients = await Promise.allSettled(this.#clients.values())
    for (const made of clients) if (made.status === 'fulfilled') made.value.destroy()
  }

  #keysOf (account: AwsAccount, session: string | undefined): HeldKeys {
    const key = [keyOfAccount(account), account.credential_version, session ?? ''].join('|')
    const held = this.#keys.get(key) ?? new HeldKeys(this.#source(account, session))
    this.#keys.set(key, held)
    dropSessions(this.#keys)
    return held
  }

  #source ({ id, auth, secret, default_region: region }: AwsAccount, session = `steward-${id}`): KeySource {
    if (auth.type === 'ambient') return this.setup.ambient
    if (auth.type === 'assume_role') {
      return assumeRole({ ...auth, account_id: id, session_name: session }, () => this.#sts(region))
    }
    return async () => {
      if (!secret) throw AccountUnusable('The account has no keys', { account_id: id })
      // Encrypted by us for this context, so it is what we encrypted.
      const keys: Keys = JSON.parse(this.setup.decrypt(`cloud_account|${id}|secret`, secret))
      return keys
    }
  }

  #sts (region: string) {
    return makeClient('sts', { region, endpoint: this.setup.endpoint, credentials: this.setup.ambient, mode: 'read' })
  }

  #life (key: string): AbortController {
    const held = this.#lives.get(key) ?? new AbortController()
    this.#lives.set(key, held)
    return held
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
  const isSandboxed = app.sandbox.aws !== undefined || (endpoint !== undefined && isLoopback(endpoint))
  const dummy = isSandboxed && !awsAmbient
    ? (await import('../sandbox/aws/constants.js')).SANDBOX_CREDENTIALS
    : undefined
  const clients = new AwsClients({
    endpoint,
    ambient: dummy ? async () => dummy : fromChain(),
    decrypt: (context, encrypted) => app.secrets.decrypt(context, encrypted)
  })
  app.decorate('aws', clients)
  app.addHook('onClose', () => clients.close())
}, { name: 'aws', dependencies: ['config', 'secrets', 'sandbox'] })
