import { type AccountRow } from '../../db/cloud/accounts.js'
import { AccountUnusable } from '../../schemas/cloud/errors.js'
import { keyOfAccount, requireWritable } from './accounts.js'
import { Bucket, budgetFor, writeBudget, type Budget } from './budgets.js'
import { makeClient, type Mode, type ServiceName, type Services } from './clients.js'
import {
  assumeForWrite, assumeRole, HeldKeys, type KeySource, type Keys
} from './credentials.js'
import { toAwsError } from './errors.js'
import { guard, refreshOnce } from './guard.js'
import { Inventory } from './inventory.js'
import type { UsedCredential } from './operations.js'
import { askRegistry, type RegistryOperation } from './registry.js'
import {
  readIdentity, writeIdentity, type Actor, type SessionMarks, readPolicy, toPolicy, type Statement
} from './sessions.js'

/** What the clients need of an account's row; a test of new credentials passes one that is not stored yet. */
export type AwsAccount = Pick<AccountRow, 'workspace_id' | 'id' | 'auth' | 'secret' | 'credential_version' |
  'aws_account_id' | 'default_region' | 'partition' | 'read_only' | 'session_marks'>

export interface Aws {
  /**
   * A real SDK client that reads, kept for the account, region and service. Its errors are ours. Where the account is
   * used by role, its session may change nothing.
   */
  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string): Promise<Services[Name]>
  /** The same, and writes in the name of an actor. */
  actingFor (actor: Actor): ActingAws
  /** Asks ECR, with the same session as all reads. @throws what AWS answers in our words */
  askRegistry (location: AwsLocation, operation: RegistryOperation, input: object): Promise<unknown>
  /** Recent answers of AWS; see Inventory. */
  inventory: Inventory
  /** How long the longest queue of reads of the account and region is: what waits there is no silence of AWS. */
  waitMs (location: AwsLocation): number
  /** @returns the ARN of the identity that this server itself runs as, for trust policies; null when it has none */
  identity (region: string): Promise<string | null>
  /** Drops the clients of an account that was changed or removed; what still reads through them ends with an error. */
  forget (account: Pick<AccountRow, 'workspace_id' | 'id'>): void
}

/** @returns a client of the session: it reads and writes, and waits for no other call of this process */
export type OpenClient = <Name extends ServiceName>(service: Name) => Promise<Services[Name]>

export interface ActingAws extends Pick<Aws, 'client' | 'askRegistry' | 'inventory' | 'waitMs'> {
  /**
   * Opens a session for one write, whose work reads its target, compares it with what was approved, and sends. When the
   * work begins, the credentials are there and the session has its place in the budget of writes, so that nothing but
   * the answer of the read is between what was compared and what is sent. A write is sent once, repeated only where
   * AWS throttled it. Where the account is used by role, the session may do what is allowed here and nothing else, and
   * ends with the work.
   * @param allowed what the work reads and sends, on the resources that it names
   * @throws cloud_account_read_only, cloud_session_unavailable before anything was sent, what AWS answers in our words
   */
  session<T> (location: AwsLocation, allowed: readonly Statement[], work: (open: OpenClient) => Promise<T>): Promise<T>
  /** A session that needs one client. */
  write<Name extends ServiceName, T> (service: Name, location: AwsLocation, allowed: readonly Statement[],
    send: (client: Services[Name]) => Promise<T>): Promise<T>
}

/** Where a write goes to. */
export interface AwsLocation { account: AwsAccount, region: string }

export interface Setup {
  endpoint: string | undefined
  ambient: KeySource
  decrypt: (context: string, encrypted: Buffer) => string
  saveMarks: (account: AwsAccount, marks: SessionMarks) => Promise<void>
}

const costRegions: Record<string, string> =
  { 'aws': 'us-east-1', 'aws-cn': 'cn-northwest-1', 'aws-us-gov': 'us-gov-west-1' }

/** In seconds, STS's minimum: no write takes longer. */
const writeSeconds = 900

/** What the record says of what is sent with an account: of a role, by the session that its reads share. */
const usedCredential = ({ account: { id, auth }, region }: AwsLocation): UsedCredential => ({
  account_id: id,
  region,
  credential: auth.type,
  role_arn: auth.type === 'assume_role' ? auth.role_arn : null,
  role_session: auth.type === 'assume_role' ? readIdentity(id).RoleSessionName : null
})

/** The credential of a client: its keys, and what the record says of them. */
interface Held { keys: HeldKeys, used: UsedCredential }

/** The clients of all accounts: sessions, budgets and what was read lately. */
export class AwsClients implements Aws {
  readonly inventory = new Inventory()
  readonly #clients = new Map<string, Promise<Services[ServiceName]>>()
  readonly #keys = new Map<string, HeldKeys>()
  readonly #buckets = new Map<string, Bucket>()
  readonly #lives = new Map<string, AbortController>()
  #identity: Promise<string | null> | undefined

  constructor (private readonly setup: Setup) {}

  client<Name extends ServiceName> (service: Name, account: AwsAccount, region: string): Promise<Services[Name]> {
    // Cost Explorer has one region a partition, whatever region is asked for.
    const where = service === 'costs' ? costRegions[account.partition] ?? region : region
    const key = [keyOfAccount(account), account.credential_version, where, service].join('|')
    const held = this.#clients.get(key)
    // The key holds the service's name, so the client is of that service.
    if (held) return held as Promise<Services[Name]>
    const at = { account, region: where }
    const made = this.#make(service, at, 'read', { keys: this.#keysOf(account), used: usedCredential(at) })
    this.#clients.set(key, made)
    made.catch(() => this.#clients.delete(key))
    return made
  }

  async askRegistry ({ account, region }: AwsLocation, operation: RegistryOperation, input: object): Promise<unknown> {
    const keys = this.#keysOf(account)
    const { endpoint } = this.setup
    const settings = { region, partition: account.partition, endpoint, credentials: keys.get }
    try {
      await this.#bucket({ account, region }, budgetFor('ecr', operation)).take()
      return await refreshOnce(() => askRegistry(settings, operation, input), keys)
    } catch (error) {
      throw toAwsError(error, { account_id: account.id, region, service: 'ecr', operation })
    }
  }

  actingFor (actor: Actor): ActingAws {
    const session: ActingAws['session'] = async (location, allowed, work) => {
      requireWritable(location.account)
      const held = this.#writeKeys(location, actor, allowed)
      const clients: { destroy: () => void }[] = []
      const open: OpenClient = async (service) => {
        const client = await this.#make(service, location, 'write', held)
        clients.push(client)
        return client
      }
      await Promise.all([held.keys.get(), this.#bucket(location, writeBudget).take()])
      try {
        return await work(open)
      } finally {
        for (const client of clients) client.destroy()
      }
    }
    return {
      client: (service, account, region) => this.client(service, account, region),
      askRegistry: (location, operation, input) => this.askRegistry(location, operation, input),
      inventory: this.inventory,
      waitMs: (location) => this.waitMs(location),
      session,
      write: (service, location, allowed, send) =>
        session(location, allowed, async (open) => send(await open(service)))
    }
  }

  async #make<Name extends ServiceName> (service: Name, { account, region }: AwsLocation, mode: Mode, held: Held) {
    const { keys, used } = held
    const { signal } = this.#life(keyOfAccount(account))
    const { endpoint } = this.setup
    const client = await makeClient(service, { region, endpoint, credentials: keys.get, mode, used })
    // A session has taken its place in the budget of writes before its first call.
    const bucketFor = mode === 'write'
      ? undefined
      : (operation: string) => this.#bucket({ account, region }, budgetFor(service, operation))
    return guard(client, { account_id: account.id, region, service, mode, bucketFor, keys, signal })
  }

  waitMs ({ account, region }: AwsLocation): number {
    const prefix = `${keyOfAccount(account)}|${region}|`
    return Math.max(0, ...[...this.#buckets].map(([key, bucket]) => key.startsWith(prefix) ? bucket.waitMs() : 0))
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
      client.then((gone) => gone.destroy()).catch(() => undefined)
    }
    for (const key of this.#keys.keys()) if (key.startsWith(`${held}|`)) this.#keys.delete(key)
    this.inventory.forget(`${held}|`)
  }

  async close () {
    const clients = await Promise.allSettled(this.#clients.values())
    for (const made of clients) if (made.status === 'fulfilled') made.value.destroy()
  }

  #keysOf (account: AwsAccount): HeldKeys {
    const key = [keyOfAccount(account), account.credential_version].join('|')
    const held = this.#keys.get(key) ?? new HeldKeys(this.#source(account))
    this.#keys.set(key, held)
    return held
  }

  /** Of a role, keys that no other write gets; other credentials cannot be narrowed. */
  #writeKeys (location: AwsLocation, actor: Actor, allowed: readonly Statement[]): Held {
    const { account } = location
    const { id, auth, default_region: region } = account
    const used = usedCredential(location)
    if (auth.type !== 'assume_role') return { keys: this.#keysOf(account), used }
    const keys = new HeldKeys(assumeForWrite({
      role: { ...auth, account_id: id, region, session_seconds: writeSeconds, policy: toPolicy(allowed) },
      identityOf: (marks) => {
        const identity = writeIdentity(actor, id, marks)
        // The name of the last session that was asked for: STS gave that one, if it gave any.
        used.role_session = identity.RoleSessionName
        return identity
      },
      marks: account.session_marks,
      onMarks: (marks) => this.setup.saveMarks(account, marks)
    }, () => this.#sts(region)))
    return { keys, used }
  }

  #source ({ id, auth, secret, default_region: region }: AwsAccount): KeySource {
    if (auth.type === 'ambient') return this.setup.ambient
    if (auth.type === 'assume_role') {
      return assumeRole({ ...auth, account_id: id, region, policy: readPolicy, identity: readIdentity(id) },
        () => this.#sts(region))
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

  #bucket ({ account, region }: AwsLocation, { name, ...rate }: Budget): Bucket {
    const key = `${keyOfAccount(account)}|${region}|${name}`
    const held = this.#buckets.get(key) ?? new Bucket(rate)
    this.#buckets.set(key, held)
    return held
  }
}
