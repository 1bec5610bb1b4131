import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from '../../tap.js'

type Body = Record<string, unknown>

/** One request as a test reads it: the operation, or `GET /path` (without its query) for Lambda's REST. */
export interface EndpointCall { operation: string, region: string, key: string, body: Body, sequence: number }

/** With `__type` it is a refusal; undefined = this endpoint does not know the operation. */
export type Answer = (call: EndpointCall) => Body | undefined

const read = async (request: IncomingMessage): Promise<Body> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text.startsWith('{') ? JSON.parse(text) as Body : Object.fromEntries(new URLSearchParams(text))
}

const operationOf = ({ headers, method, url = '' }: IncomingMessage, body: Body): string =>
  String(headers['x-amz-target'] ?? body.Action ?? `${method} ${url.split('?')[0]}`).replace(/^\w+\./, '')

/** A key that ends with 12 digits belongs to that account. */
const identityOf = (key: string): string => {
  const number = /\d{12}$/.exec(key)?.[0] ?? '123456789012'
  return `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>${number}</Account>` +
    `<Arn>arn:aws:iam::${number}:user/x</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`
}

/** An endpoint that speaks AWS's protocol and is not AWS: answers as the test says, and keeps what it was asked. */
export const startForeignEndpoint = async (t: Pick<Test, 'teardown'>, answer: Answer) => {
  const calls: EndpointCall[] = []
  const server = createServer(async (request, response) => {
    const body = await read(request)
    const [, key = '', region = ''] =
      /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? []
    const call = { operation: operationOf(request, body), region, key, body, sequence: calls.length }
    calls.push(call)
    if (call.operation === 'GetCallerIdentity') {
      return response.setHeader('content-type', 'text/xml').end(identityOf(key))
    }
    const found = answer(call)
    response.statusCode = found && !('__type' in found) ? 200 : 400
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    const refusal = { __type: 'InvalidAction', message: `${call.operation} is not known here` }
    response.end(JSON.stringify(found ?? refusal))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // It listens on TCP, so it has a port.
  const { port } = server.address() as AddressInfo
  const count = (name: string) => calls.filter(({ operation }) => operation === name).length
  return { url: `http://127.0.0.1:${port}`, calls, count }
}
