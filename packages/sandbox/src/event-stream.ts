import { crc32 } from 'node:zlib'

/** One frame of `application/vnd.amazon.eventstream` with a JSON payload. */
export function eventFrame (type: string, payload: unknown): Buffer {
  return frame({
    ':message-type': 'event',
    ':event-type': type,
    ':content-type': type === 'initial-response' ? 'application/x-amz-json-1.1' : 'application/json'
  }, Buffer.from(JSON.stringify(payload)))
}

/** The frame that ends a stream with an error. */
export function exceptionFrame (type: string, message: string): Buffer {
  return frame({
    ':message-type': 'exception',
    ':exception-type': type,
    ':content-type': 'application/json'
  }, Buffer.from(JSON.stringify({ message })))
}

function frame (headers: Record<string, string>, payload: Buffer): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + head.length + payload.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  const message = Buffer.concat([prelude, checksum(prelude), head, payload])
  return Buffer.concat([message, checksum(message)])
}

/** Name, type 7 (a text), value, each with its length. */
function header (name: string, value: string): Buffer {
  const text = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), Buffer.from([7]), length, text])
}

function checksum (data: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(data))
  return sum
}
