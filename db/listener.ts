import pg from 'pg'

/** LISTEN on a connection of its own, which comes back by itself. What it hears is a hint: it may miss some. */
export class Listener {
  readonly #listeners = new Map<string, (payload: string) => void>()
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor (private readonly connectionString: string, private readonly onError: (error: Error) => void,
    private readonly reconnectMs = 1_000) {}

  async listen (channel: string, onPayload: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onPayload)
    if (this.#client) await this.#subscribe(this.#client, channel)
    else await this.#connect()
  }

  async close (): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#client?.end()
  }

  async #connect (): Promise<void> {
    const { connectionString } = this
    const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5_000 })
    client.on('error', this.onError)
    client.once('end', () => this.#retry())
    client.on('notification', ({ channel, payload }) => this.#listeners.get(channel)?.(payload ?? ''))
    await client.connect()
    this.#client = client
    for (const channel of this.#listeners.keys()) await this.#subscribe(client, channel)
  }

  /** A connection that could not be made ends as well as failing: both lead here, and to one more try. */
  #retry (): void {
    this.#client = undefined
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#connect().catch((error: Error) => {
        this.onError(error)
        this.#retry()
      })
    }, this.reconnectMs).unref()
  }

  async #subscribe (client: pg.Client, channel: string): Promise<void> {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  }
}
