interface Hearing { onPayload: (payload: string) => void, onReconnect: (() => void) | undefined }

/** Who hears of which channel of NOTIFY, over one connection. */
export class Channels {
  readonly #hearings = new Map<string, Set<Hearing>>()

  get names (): string[] { return [...this.#hearings.keys()] }

  /** @returns what ends it */
  add (channel: string, onPayload: Hearing['onPayload'], onReconnect?: () => void): () => void {
    const hearings = this.#hearings.get(channel) ?? new Set()
    this.#hearings.set(channel, hearings)
    const hearing = { onPayload, onReconnect }
    hearings.add(hearing)
    return () => { hearings.delete(hearing) }
  }

  deliver ({ channel, payload = '' }: { channel: string, payload?: string | undefined }): void {
    for (const { onPayload } of this.#hearings.get(channel) ?? []) onPayload(payload)
  }

  /** The connection was lost and is back: what was sent in between was heard by nobody. */
  reconnected (): void {
    for (const hearings of this.#hearings.values()) for (const { onReconnect } of hearings) onReconnect?.()
  }
}
