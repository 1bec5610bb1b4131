import t from '../tap.js'
import { startSlackSandbox, type SlackMessage } from 'steward-sandbox/slack'
import { until } from '../chat.js'
import { get, send } from './crash-client.js'
import { makeWorld } from './crash-steward.js'

t.test('a click that was acknowledged outlives the process that did', async (t) => {
  const slack = await startSlackSandbox('xoxb-sandbox', 'sandbox-signing-secret')
  t.teardown(() => slack.close())
  const world = await makeWorld(t, {
    SLACK_BOT_TOKEN: 'xoxb-sandbox', SLACK_SIGNING_SECRET: 'sandbox-signing-secret', SLACK_API_URL: slack.url
  })
  const say = (url: string, path: string, form: Record<string, string>) => {
    const { headers, payload } = slack.sign(form)
    return fetch(`${url}/slack/${path}`, { method: 'POST', headers, body: payload })
  }
  const first = await world.start()
  const added = await send(first.url, '/account/channels', { kind: 'slack', name: 'Slack', events: ['asked'] })
  const { channel: { id }, code } = await added.json() as { channel: { id: string }, code: string }
  const linked = await say(first.url, 'commands', { team_id: 'T0SANDBOX', user_id: 'U0ADA', text: code })
  t.match(await linked.text(), 'is linked')
  await send(first.url, '/api/v1/agent/tool-calls', { name: 'createProject', arguments: { name: 'Harbour' } })
  const card: SlackMessage = await until(() => [...slack.messages.values()][0])
  // A process that dies before it has noted the sending sends another card, and only the last one is kept up to date.
  await until(async () => {
    const { items } = await get(first.url, `/account/channels/${id}/deliveries`)
    return (items as { state: string }[]).some(({ state }) => state === 'delivered') || undefined
  })
  await first.steward.kill()

  // It answers requests, and works no jobs: what it acknowledges is left to others.
  const second = await world.start({ WORKER: 'false' })
  t.equal((await say(second.url, 'interactions', slack.click('U0ADA', card, 'approve'))).status, 200)
  t.same(slack.whispers, [])
  await second.steward.kill()

  const third = await world.start()
  t.match(await until(() => slack.whispers[0]), { user: 'U0ADA', text: 'You have approved it.' })
  const count = async () => {
    const { items } = await get(third.url, '/account/projects')
    return (items as { name: string }[]).filter(({ name }) => name === 'Harbour').length
  }
  await until(async () => await count() === 1)
  await until(() => /^Approved by /.test(card.text))
  t.same([await count(), slack.whispers.length], [1, 1])
})
