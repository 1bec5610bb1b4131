import { createInterface } from 'node:readline'
import { jsonLine, plain } from './text.js'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }
export type Style = keyof typeof codes

/** What was typed before a question was shown does not answer it: for so long it is read, and thrown away. */
const drainMs = 120

type Environment = Record<string, string | undefined>

/** Where a command reads and writes: results to standard output, all that is about them to standard error. */
export class Terminal {
  readonly #colour: { out: boolean, err: boolean }
  readonly #hasProgressLine: boolean
  #isShowing = false

  constructor (readonly env: Environment, readonly stdin = process.stdin, readonly stdout = process.stdout,
    readonly stderr = process.stderr) {
    const isWanted = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
    this.#colour = { out: isWanted && stdout.isTTY, err: isWanted && stderr.isTTY }
    this.#hasProgressLine = stderr.isTTY && env.TERM !== 'dumb'
    // Who reads no more, such as `head`, ends the command without a word.
    stdout.on('error', () => process.exit(0))
  }

  /** Whether a person can be asked. */
  get isInteractive (): boolean {
    return this.stdin.isTTY && this.stderr.isTTY
  }

  /** Whether a person reads the results; else a program does. */
  get isScreen (): boolean {
    return this.stdout.isTTY
  }

  /**
   * What a long command is at, on a line that the next output replaces; nothing where nobody watches.
   * @param text of our own, without control characters
   */
  progress (text: string): void {
    if (!this.#hasProgressLine) return
    this.#clear()
    this.stderr.write(this.paint(text, 'dim'))
    this.#isShowing = true
  }

  #clear (): void {
    if (this.#isShowing) this.stderr.write('\r\u001B[K')
    this.#isShowing = false
  }

  /** Ends the line of progress. */
  end (): void {
    this.#clear()
  }

  /** Text of a stream, as it comes. */
  write (text: string): void {
    this.#clear()
    this.stdout.write(plain(text))
  }

  /** Bytes of a file, to a file or a program. */
  writeBytes (bytes: Uint8Array): void {
    this.#clear()
    this.stdout.write(bytes)
  }

  /** Lines that are safe already: of `table`, or of the command's own words. */
  print (lines: string | readonly string[]): void {
    this.#clear()
    for (const line of [lines].flat()) this.stdout.write(`${line}\n`)
  }

  json (value: unknown): void {
    this.#clear()
    this.stdout.write(`${jsonLine(value)}\n`)
  }

  note (lines: string | readonly string[]): void {
    this.#clear()
    for (const line of [lines].flat()) this.stderr.write(`${line}\n`)
  }

  paint (text: string, style: Style, where: 'out' | 'err' = 'err'): string {
    return this.#colour[where] ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
  }

  async #drain (): Promise<void> {
    const { stdin } = this
    const drop = () => {}
    // Raw, or a line without its end would stay in the terminal and stand before the answer.
    stdin.setRawMode?.(true)
    stdin.on('data', drop).resume()
    await new Promise((resolve) => { setTimeout(resolve, drainMs) })
    stdin.off('data', drop).pause()
    stdin.setRawMode?.(false)
  }

  /** @returns what the person answers, undefined for Ctrl-C or the end of the input */
  async question (text: string): Promise<string | undefined> {
    await this.#drain()
    const { stdin: input, stderr: output } = this
    const lines = createInterface({ input, output, terminal: true, historySize: 0 })
    try {
      return await new Promise<string | undefined>((resolve) => {
        lines.once('SIGINT', () => resolve(undefined))
        lines.once('close', () => resolve(undefined))
        lines.question(text, (answer) => resolve(answer.trim()))
      })
    } finally {
      lines.close()
      input.pause()
    }
  }

  /** @returns standard input, such as a token that shall stand in no list of processes */
  async readInput (): Promise<string> {
    let text = ''
    for await (const piece of this.stdin) text += String(piece)
    return text.trim()
  }
}
