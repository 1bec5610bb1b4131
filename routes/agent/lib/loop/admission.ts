/** Bounds of what a refusal says, in seconds. */
const [leastSeconds, mostSeconds] = [1, 60]

/** What was measured counts a third as much after so long. */
const fadeMs = 30_000

/** What one chat, or one run, takes of the room of an instance. */
export interface Slot {
  /** A run has it now, until `leave`. */
  keep: () => void
  /** The run has ended, or has left this instance. */
  leave: () => void
  /** No run came of it. Does nothing once one has it. */
  giveBack: () => void
}

/**
 * Who may begin here. It is decided by what is under way, before anything is done for a chat, so what is admitted is
 * served. From how long slots were taken lately it says when one will be free for who is refused.
 */
export class Admission {
  #taken = 0
  /** When the two below were brought up to date. */
  #at: number
  /** Milliseconds for which slots were taken, of all together, and how many runs have ended; older ones count less. */
  #takenMs = 0
  #ended = 0
  /** The slots that become free until then are for those who were refused. */
  #promisedUntil = 0

  /** @param slots how many may be under way at once */
  constructor (private readonly slots: number, private readonly now: () => number = () => performance.now()) {
    this.#at = now()
  }

  get isFull (): boolean { return this.#taken >= this.slots }

  /** Takes a slot, also the last one: whoever may be refused asks `isFull` first. */
  take (): Slot {
    this.#measure()
    this.#taken++
    let state: 'begins' | 'kept' | 'over' = 'begins'
    const end = (runs: number) => {
      if (state === 'over') return
      this.#measure()
      state = 'over'
      this.#taken--
      this.#ended += runs
    }
    return {
      keep: () => { if (state === 'begins') state = 'kept' },
      leave: () => end(1),
      giveBack: () => { if (state === 'begins') end(0) }
    }
  }

  /**
   * Counts one more that is refused, behind those who were refused before.
   * @returns seconds until there will be a slot, as far as lately shows; as long as no run has ended, it is as if one
   *   ended now
   */
  secondsUntilRoom (): number {
    this.#measure()
    const perSlotMs = this.#takenMs / (this.#ended + 1)
    const from = Math.max(this.#at, this.#promisedUntil)
    this.#promisedUntil = Math.min(from + perSlotMs / Math.max(this.#taken, 1), this.#at + mostSeconds * 1_000)
    return Math.max(leastSeconds, Math.ceil((this.#promisedUntil - this.#at) / 1_000))
  }

  #measure (): void {
    const now = this.now()
    const kept = Math.exp((this.#at - now) / fadeMs)
    this.#takenMs = this.#takenMs * kept + this.#taken * fadeMs * (1 - kept)
    this.#ended *= kept
    this.#at = now
  }
}
