import type { Readable } from 'node:stream'
import type { WireAnswer } from '../../wire.js'

/** What an operation returns when status, headers and bytes are its own business. */
export class RawAnswer implements WireAnswer {
  constructor (
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: string | Buffer | Readable
  ) {}
}
