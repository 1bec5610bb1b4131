import { Watch } from '../durable/watch.js'
import type { Channel } from './channel.js'

/** Channels of one statement at most: between two of them the event loop serves others. */
const maxChannels = 256

/** Streams with text that is not stored: so long after the first of them, the text of all is stored together. */
export class Unstored {
  readonly #channels = new Set<Channel>()
  readonly #watch: Watch

  /**
   * @param ms how long text waits at most while its stream is not busy
   * @param store stores the text of these streams, and adds again what it could not store
   */
  constructor (
    private readonly ms: number,
    private readonly store: (channels: Channel[]) => Promise<void>,
    onError: (error: unknown) => void
  ) {
    this.#watch = new Watch(() => this.#look(), onError)
  }

  add (channel: Channel): void {
    if (this.#channels.size === 0) this.#watch.within(this.ms)
    this.#channels.add(channel)
  }

  delete (channel: Channel): boolean {
    return this.#channels.delete(channel)
  }

  /** @returns those that are left, when what is being stored is */
  async stop (): Promise<Channel[]> {
    await this.#watch.stop()
    return [...this.#channels]
  }

  async #look (): Promise<number> {
    const idle = [...this.#channels].filter((channel) => !channel.busy)
    for (let at = 0; at < idle.length; at += maxChannels) await this.#storeSome(idle.slice(at, at + maxChannels))
    return this.#channels.size > 0 ? this.ms : Infinity
  }

  async #storeSome (channels: Channel[]): Promise<void> {
    const waiting = channels.filter((channel) => !channel.busy && this.#channels.delete(channel))
    await this.store(waiting)
  }
}
