import t from '../tap.js'
import { verifyText } from '../../lib/record/verify-file.js'
import { asAdmin } from '../app.js'
import { chat, scripted, startChatApp, until, type Turn } from '../chat.js'
import { makePasskey, passkeySite } from '../passkeys.js'
import { enablePolicies } from '../policies.js'
import { askedIn, say } from './asking.js'
import { countProjects, makePeople, type Person } from './voting.js'

const steward = await startChatApp(t, { ...passkeySite, LIMITS: '{"live_runs_per_user":50}' })
const { app, anthropic } = steward
const [ada] = await makePeople(app, ['Ada']) as [Person]
await enablePolicies(app, `@id("grave") @outcome("approve") @signed("true")
permit (principal, action == Action::"createProject", resource)
when { context.args has name && context.args.name like "grave*" };`)
const { device } = await makePasskey(app, ada.headers)

const ask = async (...names: string[]) => {
  const turn: Turn = { content: names.map((name) => ({ type: 'tool_use', name: 'createProject', input: { name } })) }
  const { frames } = await chat(app, { message: scripted(anthropic, [turn, say('Done.')]) }, ada.headers)
  const id = askedIn(frames)[0]?.confirmation_id ?? ''
  const url = `/api/v1/agent/confirmations/${id}/steps`
  return { url, plan: (await app.inject({ url, headers: ada.headers })).json() }
}
const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: ada.headers, payload })

t.test('one signature approves a plan of steps, each of which the record proves', async (t) => {
  const { url, plan } = await ask('plain', 'grave')
  t.match(plan.steps, [{ requirement: { signed: true } }, { requirement: { signed: true } }])
  const { input_digest } = plan
  const bare = await post(url, { approved: true, input_digest })
  t.match([bare.statusCode, bare.json().code], [403, 'consent_signature_required'])
  t.match((await post(`${url}/signature`, { input_digest: 'sha256:0' })).json(), { code: 'stale_preview' })
  const options = (await post(`${url}/signature`, { input_digest })).json()
  t.equal(options.statement.plans.length, 2)
  const other = await ask('grave two', 'grave three')
  const wrong = await post(other.url, {
    approved: true, input_digest: other.plan.input_digest, signature: device.sign(options)
  })
  t.match([wrong.statusCode, wrong.json().errors], [422, [{ pointer: '/signature', code: 'statement' }]])
  t.equal(await countProjects(app, 'grave two'), 0)
  const again = (await post(`${url}/signature`, { input_digest })).json()
  const decided = await post(url, { approved: true, input_digest, signature: device.sign(again) })
  t.match([decided.statusCode, decided.json().status], [200, 'approved'])
  await until(async () => await countProjects(app, 'plain') + await countProjects(app, 'grave') === 2 || undefined)
  const { payload } = await app.inject({ url: '/account/audit/export', headers: asAdmin })
  const { keys } = (await app.inject('/.well-known/steward-audit-keys.json')).json()
  t.match(await verifyText([payload], { keys }), { problems: [], signatures: 2 })
})
