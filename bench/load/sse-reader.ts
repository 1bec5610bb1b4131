import { countTokens } from '../protocol.js'

export interface Seen {
  tokens: number
  firstContentAt: number
  firstToolAt: number
  done: boolean
  error: string
}

/**
 * Counts what a stream carries. Frames are searched, not parsed: the client shares the machine with the server that
 * it measures. Tokens are counted in `content` frames only, however many deltas a server merges into one.
 */
export class SseReader implements Seen {
  tokens = 0
  firstContentAt = 0
  firstToolAt = 0
  done = false
  error = ''
  #rest = ''

  push (chunk: string): void {
    const text = this.#rest + chunk
    let from = 0
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
      this.#frame(text.slice(from, end))
      from = end + 2
    }
    this.#rest = text.slice(from)
  }

  #frame (frame: string): void {
    if (frame.includes('"type":"content"')) {
      this.firstContentAt ||= performance.now()
      this.tokens += countTokens(frame)
    } else if (frame.includes('"type":"tool_call"')) {
      this.firstToolAt ||= performance.now()
    } else if (frame.includes('"type":"done"')) {
      this.done = true
    } else if (frame.includes('"type":"error"')) {
      this.error = /"code":"(\w+)"/.exec(frame)?.[1] ?? 'error event'
    }
  }
}
