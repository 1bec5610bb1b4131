import t from '../tap.js'
import { asAdmin } from '../app.js'
import { confirm, follow, framesOf, scripted, startChatApp, chat } from '../chat.js'
import { askedIn, say, serviceId } from '../flows/asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50}', WORKER: 'false' })
const { app, anthropic } = steward
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

t.test('H57: of deploys of one service, approved at once, one is done, the others get the reason', async (t) => {
  const service = await serviceId(app, 'web')
  const ask = async (tag: number) => {
    const input = { service, image: `${registry}/web:${tag}` }
    const message = scripted(anthropic, [{ content: [{ type: 'tool_use', name: 'deployService', input }] }, say('So.')])
    const { frames, session, run } = await chat(app, { message })
    const [{ session_id = '', confirmation_id = '' } = {}] = askedIn(frames)
    return { decision: { session_id, confirmation_id }, session, run }
  }
  const asked = [await ask(5), await ask(6), await ask(7)]
  const decided = await Promise.all(asked.map(({ decision }) => confirm(app, { ...decision, approved: true })))
  t.same(decided.map(({ statusCode }) => statusCode), [200, 200, 200])
  const ends = await Promise.all(asked.map(async ({ session, run }) => {
    const { frames } = await follow(app, session, `${run}:0`)
    const [end] = framesOf(frames, 'tool_result')
    const { code } = end?.data.result as { code?: string }
    return `${String(end?.data.status)} ${String(end?.data.http_status)} ${code ?? ''}`.trim()
  }))
  t.same(ends.toSorted(), ['failed 409 deployment_in_progress', 'failed 409 deployment_in_progress', 'succeeded 202'])
  const url = `/infrastructure/containers/services/${service}/deployments`
  t.equal((await app.inject({ url, headers: asAdmin })).json().items.length, 1)
})
