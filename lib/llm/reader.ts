import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { modelBroken } from './errors.js'
import type { TurnBuilder } from './turn.js'

type OnText = (text: string) => void | Promise<void>

/**
 * Nearly every event of an answer, with its text as it is: one without an escape. To read it this way takes a quarter
 * of the time of parsing it; whatever is written otherwise is parsed.
 */
const plainText = /^{"type":"content_block_delta","index":(\d+),"delta":{"type":"text_delta","text":"([^"\\]*)"} *}$/

/**
 * Feeds a streamed answer to its turn until that is complete. Chunks that arrive together, within one turn of the event
 * loop, are read together after it, and their text is handed on as one piece.
 */
export class TurnReader {
  #chunks: Buffer[] = []
  #text = ''
  readonly #decoder = new StringDecoder('utf8')
  readonly #parser = createParser({ onEvent: ({ data }) => { this.#text += this.#add(data) } })
  #resolve = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor (private readonly body: Readable, private readonly turn: TurnBuilder,
    private readonly onText: OnText) {}

  /** @throws ModelError when the stream breaks, reports an error, or ends before the turn is complete */
  read (): Promise<void> {
    this.body.on('data', this.#onData)
    for (const event of ['end', 'error', 'close']) this.body.on(event, this.#onEnd)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  #add (data: string): string {
    const [, index, text] = plainText.exec(data) ?? []
    return text === undefined ? this.turn.add(JSON.parse(data)) : this.turn.addText(Number(index), text)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#chunks.length === 0) process.nextTick(this.#onTick)
    this.#chunks.push(chunk)
  }

  readonly #onTick = (): void => {
    if (this.#chunks.length > 0) this.#take()
  }

  readonly #onEnd = (): void => {
    this.#take()
    this.#settle(modelBroken())
  }

  #take (): void {
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    let failure: unknown
    try {
      this.#parser.feed(this.#decoder.write(bytes))
    } catch (error) {
      failure = error instanceof SyntaxError ? modelBroken() : error
    }
    this.#emit()
    if (failure !== undefined || this.turn.complete) this.#settle(failure)
  }

  #emit (): void {
    if (this.#text === '') return
    const pause = this.onText(this.#text)
    this.#text = ''
    if (!pause) return
    this.body.pause()
    pause.then(() => this.body.resume(), (error: unknown) => this.#settle(error))
  }

  #settle (error?: unknown): void {
    this.#chunks = []
    this.body.off('data', this.#onData)
    for (const event of ['end', 'error', 'close']) this.body.off(event, this.#onEnd)
    // The rest of the body is read and dropped, so that the connection can be used again.
    this.body.on('error', () => undefined).resume()
    if (error === undefined) this.#resolve()
    else this.#reject(error)
  }
}
