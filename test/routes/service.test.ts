import t from 'tap'
import { buildApp } from '../app.js'

t.test('health and readiness need no credentials', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const health = await app.inject('/health')
  t.same([health.statusCode, health.json()], [200, { status: 'ok' }])
  const ready = await app.inject('/ready')
  t.same([ready.statusCode, ready.json().status], [200, 'ready'])
  const document = await app.inject('/openapi.json')
  t.equal(document.json().openapi, '3.1.0')
  const docs = await app.inject('/docs/')
  t.equal(docs.statusCode, 200)
})

t.test('an unknown path is a 404 problem', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const answer = await app.inject('/nowhere')
  t.equal(answer.headers['content-type'], 'application/problem+json')
  t.match(answer.json(), { status: 404, code: 'not_found', type: 'urn:steward:error:not_found' })
})
