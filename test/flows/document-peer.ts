import type { IncomingHttpHeaders } from 'node:http'
import * as oauth from 'oauth4webapi'
import { asAdmin, makeEnvironment } from '../app.js'
import { Visitor } from '../visitor.js'
import { launch } from './crash-steward.js'
import { startTlsPeer } from './tls-peer.js'

/** What the peer answers at a path: a document, or what no client's document is. */
export interface Served { status?: number, headers?: Record<string, string>, body?: string | Buffer }

const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, {
    method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body)
  })
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', body: await answer.json().catch(() => ({})) }
}

/** The browser of a person who came in by the link of an invitation. */
const invite = async (url: string): Promise<Visitor> => {
  const { body: invited } = await post(`${url}/account/users`, { name: 'Ada', role: 'member' }, asAdmin)
  // What makes a user answers with their link.
  const { link } = invited as { link: { url: string } }
  const { cookie } = await post(`${url}/account/sign-in`, { token: new URL(link.url).hash.replace('#token=', '') })
  return new Visitor(url, cookie)
}

/** A Steward that may read documents of a server of this machine, as programs publish theirs. */
export const startDocuments = async (t: Parameters<typeof launch>[0], more: Record<string, string> = {}) => {
  const served = new Map<string, Served>()
  const asked: { path: string, headers: IncomingHttpHeaders }[] = []
  const peer = await startTlsPeer(t, ({ url: path = '', headers }, response) => {
    asked.push({ path, headers })
    const { status = 200, headers: others, body = '' } = served.get(path) ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'application/json', ...others }).end(body)
  })
  const steward = launch(t, await makeEnvironment(t, {
    SANDBOX: 'off', LOG_LEVEL: 'info', OUTBOUND_ALLOW: peer.host, NODE_EXTRA_CA_CERTS: peer.certificate, ...more
  }))
  const url = await steward.listening()
  const issuer = new URL(url)
  const server = await oauth.processDiscoveryResponse(issuer,
    await oauth.discoveryRequest(issuer, { [oauth.allowInsecureRequests]: true, algorithm: 'oauth2' }))
  return { served, asked, peer, steward, url, server, visitor: await invite(url) }
}
