import type { Readable } from 'node:stream'
import type { WireAnswer } from '../../wire.js'

/** The result of an operation that sets status, headers and bytes itself. */
export class RawAnswer implements WireAnswer {
  constructor (
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: string | Buffer | Readable
  ) {}
}
