import t from '../../tap.js'
import { simpleParser, startSmtpSandbox } from 'steward-sandbox/smtp'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp, until, type Turn } from '../../chat.js'
import { decideAs, makePeople, proposeProject, type Person } from '../../flows/voting.js'
import { makeToken } from '../account/actors.js'
import { actor, keepRolling, makeApp, registry } from '../deployments/actors.js'
import { callerOf, startReceiver, work } from './world.js'

const smtp = await startSmtpSandbox()
t.teardown(() => smtp.close())
// A million input tokens cost 3 USD: five thousand of them are 0.015.
const { app, anthropic } = await startChatApp(t, {
  OUTBOUND_ALLOW: '127.0.0.1',
  SMTP_URL: smtp.url,
  MAIL_FROM: 'steward@example.com',
  LIMITS: JSON.stringify({ budget_user_day_usd: 0.018, model_retry_base_ms: 1 })
})
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const call = callerOf(app)

/** What a person's webhook heard, until the test ends. */
const listen = async (person: Person, event: string) => {
  const receiver = await startReceiver(t)
  const body = { kind: 'webhook', name: event, address: receiver.url, events: [event] }
  const { channel: { id } } = (await call(person.headers, 'POST', '', body)).json()
  return {
    heard: () => receiver.got.map(({ body: text }) => JSON.parse(text)),
    remove: () => call(person.headers, 'DELETE', `/${id}`)
  }
}

const fine: Turn = {
  content: [{ type: 'text', text: 'Fine.' }],
  usage: { input_tokens: 5_000, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
}

t.test('a run that ended and a budget that is nearly used reach their person, once, and nobody else', async (t) => {
  const [runs, budget, others] = [await listen(ada, 'run_ended'), await listen(ada, 'budget_low'),
    await listen(bea, 'run_ended')]
  await work(app)
  t.same([runs.heard(), budget.heard()], [[], []])
  const { session, answer } = await chat(app, { message: scripted(anthropic, [fine]) }, ada.headers)
  t.equal(answer.statusCode, 200)
  for (let round = 0; round < 3; round++) await work(app)
  t.match(runs.heard(), [{
    type: 'run.ended', data: { title: /^Your run ended: .*\(completed\)$/, url: new RegExp(`/#/chat/${session}$`) }
  }])
  t.match(budget.heard(), [{ type: 'budget.low', data: { title: 'The model has cost $0.01 of your $0.02 today' } }])
  t.equal(runs.heard().length + budget.heard().length, 2)
  t.same(others.heard(), [])
  for (const one of [runs, budget, others]) await one.remove()
})

t.test('a build that may not deploy, and a deployment that crashes, reach who began them', async (t) => {
  const [own, others] = [await listen(ada, 'deployment_failed'), await listen(bea, 'deployment_failed')]
  const shop = await makeApp(app, 'Shop')
  const narrow = await makeToken(app, ada.headers, ['deployments:write'])
  const build = (await actor(app, narrow.headers).post(`/apps/${shop.id}/deploy`, {})).json()
  await until(async () => (await actor(app).json(`/apps/${shop.id}/builds/${build.id}`)).status === 'failed')
  await work(app)
  t.match(own.heard(), [{
    type: 'deployment.failed',
    data: {
      title: 'Build 1 of Shop failed',
      lines: ['step_failed'],
      url: new RegExp(`/#/apps/${shop.id}/builds/${build.id}$`)
    }
  }])
  const stop = keepRolling(t, app)
  const url = '/infrastructure/containers/services/web/deploy'
  const writer = await makeToken(app, ada.headers, ['infrastructure:read', 'infrastructure:write'])
  const payload = { image: `${registry}/web:4-crash` }
  const deployed = await app.inject({ method: 'POST', url, headers: writer.headers, payload })
  t.equal(deployed.statusCode, 202, deployed.payload)
  await until(async () => {
    await work(app)
    return own.heard().length === 2
  })
  await stop()
  t.match(own.heard()[1], {
    data: {
      title: 'The deployment of web failed',
      lines: [/circuit breaker: |ECS went back to/],
      url: new RegExp(`/#/services/${encodeURIComponent(deployed.json().service_id)}/deployments$`)
    }
  })
  t.same(others.heard(), [])
  for (const one of [own, others]) await one.remove()
})

t.test('a mail that was forwarded shows nothing and decides nothing, and the record names who tried', async (t) => {
  const mail = { kind: 'email', name: 'Mail', address: 'ada@example.com', events: ['asked'] }
  const { channel: { id } } = (await call(ada.headers, 'POST', '', mail)).json()
  const last = () => simpleParser(smtp.mails.at(-1)?.data ?? '')
  const code = /: (\w{12})$/.exec(last().headers.subject ?? '')?.[1]
  await call(ada.headers, 'POST', `/${id}/confirm`, { code })
  const asked = await proposeProject(app, ada.headers, 'Forwarded')
  await work(app)
  const question = /\/#\/inbox\/([\w-]+)/.exec(last().text)?.[1] ?? ''
  t.equal(question, asked.confirmation.id)
  const seen = await app.inject({ url: `/api/v1/agent/confirmations/${question}`, headers: bea.headers })
  t.match(seen.json(), { status: 404 })
  const tried = await decideAs(app, bea, asked, true)
  t.ok(tried.statusCode === 403 || tried.statusCode === 404, tried.payload)
  const record = await app.inject({ url: `/account/audit?user_id=${bea.id}&operation=confirm`, headers: asAdmin })
  t.match(record.json().items, [{ operation: 'confirm', status: tried.statusCode, outcome: tried.json().code }])
  t.match((await decideAs(app, ada, asked, true)).json(), { status: 'approved' }, 'it waited for whom it asks')
  await call(ada.headers, 'DELETE', `/${id}`)
})
