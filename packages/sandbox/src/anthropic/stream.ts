import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { errorFrame, pingFrame } from './events.js'
import type { Fault } from './turn.js'

const batchSize = 16_384
const defaultCut = 4
const slowDelay = 200
const pingDelay = 1000

/** How the events of a stream are written, where that is not as server-sent events. */
export interface Wire {
  contentType: string
  /** @param text some frames, or a part of one @returns those that are whole */
  encode: (text: string) => Buffer
}

/** How a response is sent: its pace and its faults. */
export interface Pace { delayMs: number, fault?: Fault, wire?: Wire }

/** How a stream ended, for the journal. */
export type StreamEnd = 'complete' | 'client_gone' | `fault:${string}`

/** Sends frames as a server-sent event stream; resolves at its end, whichever side ends it. */
export async function streamFrames (reply: FastifyReply, frames: Iterable<string>, pace: Pace): Promise<StreamEnd> {
  const writer = new FrameWriter(reply, pace)
  try {
    for (const frame of frames) {
      const end = await writer.send(frame)
      if (end) return end
    }
    return await writer.finish()
  } catch (error) {
    // This signal ends every wait below when the client disconnects.
    if (writer.gone.aborted) return 'client_gone'
    throw error
  }
}

class FrameWriter {
  readonly #raw
  readonly #controller = new AbortController()
  readonly #delay: number
  readonly #fault: Fault | undefined
  readonly #requestId: string
  readonly #wire: Wire | undefined
  #batch = ''
  #sent = 0

  constructor (reply: FastifyReply, { delayMs, fault, wire }: Pace) {
    reply.hijack()
    this.#raw = reply.raw
    this.#fault = fault
    this.#wire = wire
    this.#delay = fault?.kind === 'slow' ? fault.delay_ms ?? slowDelay : delayMs
    this.#requestId = reply.request.id
    this.#raw.once('close', () => this.#controller.abort())
    this.#raw.writeHead(200, {
      ...reply.getHeaders() as Record<string, string>, // The type also allows undefined, which no header here is.
      'content-type': wire?.contentType ?? 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache'
    })
    this.#raw.flushHeaders()
  }

  get gone () {
    return this.#controller.signal
  }

  async send (frame: string): Promise<StreamEnd | undefined> {
    this.gone.throwIfAborted()
    if (this.#fault && this.#sent === (this.#fault.after_events ?? defaultCut)) {
      const end = await this.#break(this.#fault, frame)
      if (end) return end
    }
    this.#sent++
    if (this.#fault?.kind === 'split_utf8' && !this.#wire) return await this.#writeSplit(frame)
    this.#batch += frame
    if (this.#delay > 0 || this.#batch.length >= batchSize) await this.#flush()
    if (this.#delay > 0) await sleep(this.#delay, undefined, { signal: this.gone })
  }

  async finish (): Promise<StreamEnd> {
    await this.#flush()
    this.#raw.end()
    return this.#fault ? `fault:${this.#fault.kind}` : 'complete'
  }

  async #flush () {
    if (this.#batch === '') return
    const batch = this.#batch
    this.#batch = ''
    await this.#write(batch)
  }

  async #write (data: string | Buffer) {
    const bytes = this.#wire ? this.#wire.encode(data.toString()) : data
    if (this.#raw.write(bytes)) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#raw.off('drain', done)
        this.gone.removeEventListener('abort', done)
        resolve()
      }
      this.#raw.on('drain', done)
      this.gone.addEventListener('abort', done)
    })
    this.gone.throwIfAborted()
  }

  async #break (fault: Fault, frame: string): Promise<StreamEnd | undefined> {
    const end = `fault:${fault.kind}` as const
    switch (fault.kind) {
      case 'stream_error': {
        const type = fault.error_type ?? 'overloaded_error'
        this.#batch += errorFrame(type, fault.message ?? 'Overloaded', this.#requestId)
        await this.finish()
        return end
      }
      case 'cut':
        await this.#flush()
        // The written data has to reach the client before the connection breaks, or the client sees no response at all.
        await sleep(5, undefined, { signal: this.gone })
        this.#raw.destroy()
        return end
      case 'eof':
        await this.finish()
        return end
      case 'hang':
        await this.#flush()
        await untilAborted(this.gone)
        return end
      case 'ping_only':
        await this.#pingUntilGone(fault.delay_ms ?? pingDelay)
        return end
      case 'malformed_json':
        this.#batch += `${frame.trimEnd().slice(0, -2)}\n\n`
        return undefined
      default:
        return undefined
    }
  }

  async #pingUntilGone (delay: number) {
    while (!this.gone.aborted) {
      this.#batch += pingFrame
      await this.#flush()
      await sleep(delay, undefined, { signal: this.gone })
    }
  }

  // Each write is its own packet, and every character of more than one byte is torn in two.
  async #writeSplit (frame: string) {
    const bytes = Buffer.from(frame)
    let from = 0
    for (let index = 1; index < bytes.length; index++) {
      const isContinuation = ((bytes[index] ?? 0) & 0xc0) === 0x80
      const isSecondByte = isContinuation && ((bytes[index - 1] ?? 0) & 0xc0) === 0xc0
      if (!isSecondByte) continue
      await this.#write(bytes.subarray(from, index))
      await sleep(2, undefined, { signal: this.gone })
      from = index
    }
    await this.#write(bytes.subarray(from))
    return undefined
  }
}

const untilAborted = (signal: AbortSignal) => new Promise<void>((resolve) => {
  if (signal.aborted) return resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
})
