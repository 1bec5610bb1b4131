import t from '../tap.js'
import { asAdmin, buildApp, type App } from '../app.js'
import { fromRecord } from '../recorded.js'

const forwarded = { 'x-forwarded-for': '203.0.113.7, 10.1.2.3', 'x-forwarded-proto': 'https' }

/** @returns the address that the audit row of a write names, which came from the peer with these headers */
const addressSeen = async (app: App, name: string, remoteAddress: string, headers: Record<string, string>) => {
  const request = { method: 'POST' as const, url: '/account/projects', payload: { name }, remoteAddress }
  await app.inject({ ...request, headers: { ...asAdmin, ...headers } })
  const row = await fromRecord(app).select('remote_address').orderBy('at', 'desc').executeTakeFirst()
  return row?.remote_address
}

t.test('behind proxies that are named, the address is the one before them', async (t) => {
  const app = await buildApp(t, { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' })
  t.equal(await addressSeen(app, 'a', '127.0.0.1', forwarded), '203.0.113.7')
  t.equal(await addressSeen(app, 'b', '127.0.0.1', {}), '127.0.0.1')
  t.equal(await addressSeen(app, 'c', '198.51.100.9', forwarded), '198.51.100.9', 'nobody else names an address')
})

t.test('A13: without TRUST_PROXY no header names an address', async (t) => {
  const app = await buildApp(t)
  t.equal(await addressSeen(app, 'a', '127.0.0.1', forwarded), '127.0.0.1')
})
