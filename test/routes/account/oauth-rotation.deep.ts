import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import t from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import { signingKeys } from '../../../routes/account/lib/oauth/settings.js'
import { asAdmin, makeEnvironment, type App } from '../../app.js'
import {
  authorizationOf, clientAuth, connect, listTools, redeem, refresh, refusalOf, register
} from '../../oauth.js'
import { Visitor } from '../../visitor.js'
import { signIn } from './actors.js'

const environment = await makeEnvironment(t, { SANDBOX: 'off', WORKER: 'false' })
const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]
const insecure = { [oauth.allowInsecureRequests]: true }
let port = 0

/** The same Steward at the same address, as it is started with this key. */
const withKey = async <T>(SECRET_KEY: string, use: (app: App, url: string) => Promise<T>): Promise<T> => {
  const app = await build(readConfig({ ...environment, SECRET_KEY }))
  try {
    await app.listen({ host: '127.0.0.1', port })
    // A server that listens on TCP has such an address.
    port = (app.server.address() as AddressInfo).port
    return await use(app, `http://127.0.0.1:${port}`)
  } finally {
    await app.close()
  }
}

/** Nothing is signed for anybody, so that no address shows the keys. */
const keysOf = (app: App): unknown[] => signingKeys(app).map(({ x }) => x)

const invite = async (app: App, url: string): Promise<Visitor> => {
  const payload = { name: 'Ada', role: 'approver' }
  const made = await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload })
  return new Visitor(url, (await signIn(app, made.json().link.url)).cookie)
}

const serverAt = async (url: string): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(url)
  return oauth.processDiscoveryResponse(issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }))
}

const begin = async (app: App, url: string) => {
  const server = await serverAt(url)
  const visitor = await invite(app, url)
  const { client, tokens } = await connect({ server }, visitor)
  const authorization = await authorizationOf(server, client)
  const command = { client_id: 'steward-cli' }
  const device = await oauth.processDeviceAuthorizationResponse(server, command,
    await oauth.deviceAuthorizationRequest(server, command, clientAuth, { scope: 'agent:read' }, insecure))
  const waiting = await visitor.ask(authorization.url)
  return { server, visitor, client, tokens, authorization, waiting, device, keys: keysOf(app) }
}

const poll = async (server: oauth.AuthorizationServer, code: string) =>
  oauth.processDeviceCodeResponse(server, { client_id: 'steward-cli' },
    await oauth.deviceCodeGrantRequest(server, { client_id: 'steward-cli' }, clientAuth, code, insecure))

t.test('programs stay connected while SECRET_KEY is replaced, and what is under way goes on', async (t) => {
  const { server, visitor, client, tokens, authorization, waiting, device, keys } = await withKey(first, begin)
  t.equal(keys.length, 1)

  const next = await withKey(`${second},${first}`, async (app) => {
    const [both, url] = [keysOf(app), server.issuer]
    t.same([both.length, both[1], both[0] === keys[0]], [2, keys[0], false], 'the new key is the first')
    t.equal((await listTools(url, tokens.access_token)).status, 200)
    const { location = '' } = await visitor.decide(waiting)
    const more = await redeem(server, client, location, authorization)
    t.equal((await listTools(url, more.access_token)).status, 200, 'its cookies were signed with the old key')
    t.equal(await refusalOf(poll(server, device.device_code)), 'authorization_pending')
    return refresh(server, client, String(tokens.refresh_token))
  })

  await withKey(second, async (app) => {
    const [alone, url] = [keysOf(app), server.issuer]
    t.same([alone.length, alone[0] === keys[0]], [1, false])
    t.equal((await listTools(url, next.access_token)).status, 200)
    const last = await refresh(server, client, String(next.refresh_token))
    t.equal((await listTools(url, last.access_token)).status, 200, 'its registration was encrypted again')
    t.ok(await connect({ server }, visitor, { client }), 'and it may be let in anew')
  })
})

t.test('what was under way with a key that is gone is gone, and no failure', async (t) => {
  const { server, visitor, device, waiting, authorization, client } = await withKey(second, begin)
  const other = await withKey(`${third},${second}`, async (_app, url) =>
    register(await serverAt(url)))
  await withKey(third, async (app) => {
    t.match(await refusalOf(poll(server, device.device_code)), /^(expired_token|invalid_grant)$/)
    t.equal((await visitor.json('GET', `/oauth/consents/${waiting}/request`)).status, 404)
    t.equal((await visitor.json('POST', `/oauth/consents/${waiting}/decision`, { decision: 'allow' })).status, 404)
    const page = await visitor.visit('/oauth/device')
    t.equal(page.status, 200)
    const secret = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? ''
    const shown = await visitor.form('/oauth/device', { xsrf: secret, user_code: device.user_code })
    t.match(shown.text, /No device shows this code/)
    t.ok(await visitor.ask(authorization.url), 'the program asks again')
    for (const one of [client, other]) t.ok(await connect({ server }, visitor, { client: one }))
    t.equal(keysOf(app).length, 1)
  })
})
