import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** A request as it came, before anybody understood it. */
export interface HttpRequest {
  method: string
  /** Path and query, still encoded. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer | Readable
}

/** What an operation returns when status, headers and bytes are its own business. */
export class RawAnswer implements HttpAnswer {
  constructor (
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: string | Buffer | Readable
  ) {}
}
