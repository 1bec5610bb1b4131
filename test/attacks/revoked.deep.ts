import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, makeEnvironment } from '../app.js'
import { scripted, startChatApp, until } from '../chat.js'
import { makePerson, makeToken, makeWorkspace } from '../routes/account/actors.js'

const limits = JSON.stringify({ stream_rights_ms: 200, live_runs_per_user: 10 })
const { app, anthropic, url } = await startChatApp(t, { LIMITS: limits })

/** A chat whose model never comes to an end. */
const openStream = async (headers: Record<string, string>) => {
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'One two.' }], fault: { kind: 'hang' } }])
  const answer = await fetch(`${url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message })
  })
  t.equal(answer.status, 200)
  return { run: String(answer.headers.get('steward-run-id')), ended: answer.text() }
}

t.test('A3: a stream ends soon after the token, the session or the person behind it has', async (t) => {
  const revoke = (id: string) => app.inject({ method: 'DELETE', url: `/account/tokens/${id}`, headers: asAdmin })
  const disable = (id: string) => app.inject({
    method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload: { status: 'disabled' }
  })
  const mint = () => makeToken(app, asAdmin, ['agent:read', 'agent:write'])
  const [token, kept] = [await mint(), await mint()]
  const [disabled, leaving] = [await makePerson(app, 'Dis', 'member'), await makePerson(app, 'Lea', 'member')]
  const streams = [
    await openStream(token.headers), await openStream(disabled.headers), await openStream(leaving.headers)
  ]
  const other = await openStream(kept.headers)
  t.equal(app.openStreams.total, 4)
  await revoke(token.id)
  await disable(disabled.id)
  await app.inject({ method: 'POST', url: '/account/sign-out', headers: leaving.headers })
  for (const text of await Promise.all(streams.map(({ ended }) => ended))) t.notMatch(text, /event: done/)
  t.equal(app.openStreams.total, 1, 'the other one goes on')
  const cancel = (run: string) =>
    app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run}/cancel`, payload: {}, headers: asAdmin })
  await cancel(other.run)
  t.match(await other.ended, /event: done/)
  await cancel(streams[0]?.run ?? '')
  await until(() => app.openStreams.total === 0)
})

t.test('A3: a stream ends soon after its workspace was deleted, and the run does not go on', async (t) => {
  const { id, headers } = await makeWorkspace(app, 'Brief')
  const stream = await openStream((await makeToken(app, headers, ['agent:read', 'agent:write'])).headers)
  const gone = await app.inject({ method: 'DELETE', url: `/account/workspaces/${id}?name=Brief`, headers: asAdmin })
  t.equal(gone.statusCode, 204)
  t.notMatch(await stream.ended, /event: done/)
  await until(() => app.openStreams.total === 0)
  const runs = await app.db.selectFrom('agent_run').select('id').where('workspace_id', '=', id).execute()
  t.same(runs, [])
})

if (process.env.TEST_DATABASE_URL) {
  t.test('A3: what is revoked at one instance is refused by the next request to another', async (t) => {
    const environment = await makeEnvironment(t, { SANDBOX: 'off', WORKER: 'false' })
    const [one, two] = [await build(readConfig(environment)), await build(readConfig(environment))]
    t.teardown(() => Promise.all([one.close(), two.close()]))
    const token = await makeToken(one, asAdmin, ['account:read'])
    const me = async () => (await two.inject({ url: '/account/me', headers: token.headers })).json().code
    t.equal(await me(), undefined)
    await one.inject({ method: 'DELETE', url: `/account/tokens/${token.id}`, headers: asAdmin })
    t.equal(await me(), 'token_revoked')
  })
}
