import { Problem } from './problem.js'

/** A message of a stream: `id` resumes the stream after it. */
export interface Message { id: string | undefined, event: string | undefined, data: string }

export interface Frame<E> { id: string | undefined, data: E }

/** Steward's frames have at most 64 KiB; what is larger by far is no stream of Steward's. */
const maxChars = 4_194_304

/** Steward sends a comment every 15 seconds: after three without a byte the connection is dead, or held back. */
export const defaultSilenceMs = 50_000

/** Reads text/event-stream, cut into pieces anywhere. What has not come to its blank line is not given. */
export class FrameParser {
  #line = ''
  #data: string[] = []
  #chars = 0
  #event: string | undefined
  #id: string | undefined
  #isFirst = true
  /** The last piece ended with a carriage return: a line feed that follows belongs to it. */
  #afterReturn = false

  /** @returns the messages that this piece completes. @throws Problem for a message without end */
  push (piece: string): Message[] {
    let text = piece
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1)
    if (piece !== '') this.#afterReturn = piece.endsWith('\r')
    const messages: Message[] = []
    const lines = text.split(/\r\n|\n|\r/)
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = this.#take(this.#line + line)
      this.#line = ''
      if (message) messages.push(message)
    }
    this.#line += rest
    if (this.#line.length + this.#chars > maxChars) {
      throw new Problem('unexpected_answer', 200, 'The stream has a message without an end: it is not Steward\'s')
    }
    return messages
  }

  #take (read: string): Message | undefined {
    const line = this.#isFirst && read.startsWith('\uFEFF') ? read.slice(1) : read
    this.#isFirst = false
    if (line === '') return this.#complete()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') {
      this.#data.push(value)
      this.#chars += value.length
    }
    if (name === 'event') this.#event = value
    if (name === 'id' && !value.includes('\0')) this.#id = value
    return undefined
  }

  #complete (): Message | undefined {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#data = []
    this.#chars = 0
    this.#event = undefined
    this.#id = undefined
    return isEmpty ? undefined : message
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** @returns the next bytes, undefined at the end. @throws Problem when none come for so long */
const readWithin = async (reader: Reader, silenceMs: number): Promise<Uint8Array | undefined> => {
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    reader.cancel().catch(() => {})
  }, silenceMs)
  try {
    const { value } = await reader.read()
    if (!isSilent) return value
  } finally {
    clearTimeout(timer)
  }
  throw new Problem('stream_silent', 0,
    `Nothing came for ${silenceMs / 1_000} seconds: the connection is dead, or a proxy holds the stream back`)
}

/** @returns the frames of a text/event-stream response, as they arrive */
export async function * readFrames<E> (response: Response, silenceMs = defaultSilenceMs): AsyncGenerator<Frame<E>> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const parser = new FrameParser()
  try {
    for (let bytes = await readWithin(reader, silenceMs); bytes; bytes = await readWithin(reader, silenceMs)) {
      for (const { id, data } of parser.push(decoder.decode(bytes, { stream: true }))) {
        // openapi.yaml declares the events; unknown fields pass through.
        yield { id, data: JSON.parse(data) as E }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
