import pg from 'pg'

const reconnectMs = 1_000

/** LISTEN on a connection of its own, which comes back by itself. What it hears is a hint: it may miss some. */
export class Listener {
  readonly #listeners = new Map<string, (payload: string) => void>()
  #client: pg.Client | undefined
  #closed = false

  constructor (private readonly connectionString: string, private readonly onError: (error: Error) => void) {}

  async listen (channel: string, onPayload: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onPayload)
    if (this.#client) await this.#subscribe(this.#client, channel)
    else await this.#connect()
  }

  async close (): Promise<void> {
    this.#closed = true
    await this.#client?.end()
  }

  async #connect (): Promise<void> {
    const client = new pg.Client({ connectionString: this.connectionString, keepAlive: true })
    client.on('error', this.onError)
    client.once('end', () => this.#retry())
    client.on('notification', ({ channel, payload }) => this.#listeners.get(channel)?.(payload ?? ''))
    await client.connect()
    this.#client = client
    for (const channel of this.#listeners.keys()) await this.#subscribe(client, channel)
  }

  #retry (): void {
    this.#client = undefined
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#connect().catch((error: Error) => {
        this.onError(error)
        this.#retry()
      })
    }, reconnectMs)
    timer.unref()
  }

  async #subscribe (client: pg.Client, channel: string): Promise<void> {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  }
}
