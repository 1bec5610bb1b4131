import pg from 'pg'
import { Channels } from './clients.js'
import type { Primary } from './primary.js'

/** LISTEN on a connection of its own, which comes back by itself. What it hears is a hint: it may miss some. */
export class Listener {
  readonly #channels = new Channels()
  #client: pg.Client | undefined
  #first: Promise<void> | undefined
  /** A client is asked one thing at a time. */
  #subscribed: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor (private readonly primary: Primary, private readonly onError: (error: Error) => void,
    private readonly reconnectMs = 1_000) {}

  /**
   * @param onReconnect what was sent while the connection was lost is missed
   * @returns what ends it
   */
  async listen (channel: string, onPayload: (payload: string) => void, onReconnect?: () => void): Promise<() => void> {
    const end = this.#channels.add(channel, onPayload, onReconnect)
    this.#first ??= this.#connect().catch((error: unknown) => {
      this.#first = undefined
      throw error
    })
    await this.#first
    // A connection that is just lost subscribes to all channels when it is back.
    if (this.#client) await this.#subscribe(this.#client, channel).catch(this.onError)
    return end
  }

  async close (): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#client?.end()
  }

  async #connect (): Promise<void> {
    const client = new pg.Client({
      connectionString: await this.primary.find(),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000
    })
    client.on('error', this.onError)
    client.once('end', () => this.#retry())
    client.on('notification', (notification) => this.#channels.deliver(notification))
    await client.connect()
    this.#client = client
    for (const channel of this.#channels.names) await this.#subscribe(client, channel)
  }

  /** A connection that could not be made ends as well as failing: both lead here, and to one more try. */
  #retry (): void {
    this.#client = undefined
    this.primary.forget()
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#connect().then(() => this.#channels.reconnected(), (error: Error) => {
        this.onError(error)
        this.#retry()
      })
    }, this.reconnectMs).unref()
  }

  #subscribe (client: pg.Client, channel: string): Promise<unknown> {
    const subscribed = this.#subscribed.catch(() => undefined)
      .then(() => client.query(`listen ${pg.escapeIdentifier(channel)}`))
    this.#subscribed = subscribed
    return subscribed
  }
}
