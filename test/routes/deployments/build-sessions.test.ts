import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { useRole } from '../infrastructure/role-account.js'
import { actor, keepRolling, makeApp, registry, sha, until } from './actors.js'

const app = await workspace(t)
const { call, journal, trust } = await useRole(app)
const { json } = actor(app)
const person = app.home.admin_id

t.test('what an approved build deploys is sent in the name of its approval', async (t) => {
  await trust({ tag_session: true, set_source_identity: true })
  const stop = keepRolling(t, app)
  const shop = await makeApp(app, 'Sessions')
  const args = { app_id: shop.id, commit: sha('a'), image: `${registry}/web:3-ok` }
  const proposed = (await call('POST', '/api/v1/agent/tool-calls', { name: 'deployApp', arguments: args })).json()
  const decision = { session_id: proposed.session_id, confirmation_id: proposed.confirmation.id, approved: true }
  t.equal((await call('POST', '/api/v1/agent/confirm', decision)).statusCode, 200)
  const url = `/api/v1/agent/tool-calls/${proposed.tool_call_id}?wait_s=20`
  const { result } = (await app.inject({ url, headers: asAdmin })).json()
  const build = await until(() => json(`/apps/${shop.id}/builds/${result.id}`),
    ({ status }) => !['queued', 'running'].includes(status))
  t.equal(build.status, 'succeeded', JSON.stringify(build.status_reason))
  const [update] = (await journal('UpdateService')).slice(-1)
  t.same(update?.session, {
    name: `steward.${person}`,
    source_identity: person,
    tags: {
      'steward:person': person, 'steward:confirmation': proposed.confirmation.id, 'steward:run': proposed.run_id
    }
  })
  await stop()
})
