import type { IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { modelBroken } from './llm-errors.js'
import type { TurnBuilder } from './llm-turn.js'

type OnText = (text: string) => void | Promise<void>

/**
 * Feeds a streamed answer to its turn until that is complete. Chunks that arrive together are one piece of text:
 * they are read within one turn of the event loop, and the text is handed on after it.
 */
export class TurnReader {
  #text = ''
  #scheduled = false
  readonly #parser = createParser({ onEvent: ({ data }) => { this.#text += this.turn.add(JSON.parse(data)) } })
  #resolve = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor (private readonly body: IncomingMessage, private readonly turn: TurnBuilder,
    private readonly onBytes: () => void, private readonly onText: OnText) {}

  /** @throws ModelError when the stream breaks, tells an error, or ends before the turn is complete */
  read (): Promise<void> {
    this.body.setEncoding('utf8').on('data', this.#onData)
    for (const event of ['end', 'error', 'close']) this.body.on(event, this.#onEnd)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  readonly #onData = (chunk: string): void => {
    this.onBytes()
    try {
      this.#parser.feed(chunk)
    } catch (error) {
      this.#flush()
      return this.#settle(error instanceof SyntaxError ? modelBroken() : error)
    }
    if (this.turn.complete) {
      this.#flush()
      this.#settle()
    } else if (!this.#scheduled) {
      this.#scheduled = true
      process.nextTick(() => this.#flush())
    }
  }

  readonly #onEnd = (): void => {
    this.#flush()
    this.#settle(modelBroken())
  }

  #flush (): void {
    this.#scheduled = false
    if (this.#text === '') return
    const pause = this.onText(this.#text)
    this.#text = ''
    if (!pause) return
    this.body.pause()
    pause.then(() => this.body.resume(), (error: unknown) => this.#settle(error))
  }

  #settle (error?: unknown): void {
    this.body.off('data', this.#onData)
    for (const event of ['end', 'error', 'close']) this.body.off(event, this.#onEnd)
    // The rest of the body is read and dropped, so that the connection can be used again.
    this.body.on('error', () => undefined).resume()
    if (error === undefined) this.#resolve()
    else this.#reject(error)
  }
}
