import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import * as payloads from '../routes/agent/triggers/payloads.js'
import {
  bearer, grafana, makeSns, pagerDuty, post, serveSns, snsMessage, standard, topic
} from '../routes/agent/triggers/senders.js'
import {
  call, makeTrigger, say, scriptedQuestion, send, settled, startWorld
} from '../routes/agent/triggers/world.js'
import { incidents, type Find, type Incident, type Step } from './incidents.js'

const world = await startWorld(t, { LIMITS: JSON.stringify({ requests_per_minute: 100_000 }) })
const { app } = world
const aws = steer(app)
const sns = makeSns()
serveSns(app, sns)
const pagerDutyKey = 'pagerduty-secret-0123456789'

const asked = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  return answer.json()
}

const take = async (step: Step): Promise<unknown> => {
  if ('advance' in step) return aws.advance(step.advance)
  if ('deny' in step) return aws.deny(...step.deny)
  if ('fault' in step) return aws.fault(step.fault)
  if ('invoke' in step) return asked('POST', `/infrastructure/serverless/functions/${step.invoke}/invoke`, {})
  const [name, path, payload] = 'scale' in step
    ? [step.scale[0], 'scale', { desired_count: step.scale[1] }]
    : [step.deploy[0], 'deploy', { image: step.deploy[1], container: step.deploy[0], force: true }]
  await asked('POST', `/infrastructure/containers/services/${name}/${path}`, payload)
  // What was asked for is sent by a job.
  return until(async () => await aws.calls('UpdateService') > 0)
}

/** The results as a person reads them now, who calls the same operations. */
const read = async ({ reads }: Incident): Promise<unknown[]> => {
  const results: unknown[] = []
  for (const [name, input] of reads) {
    const { url } = app.tools.find(name)?.bind(input as Record<string, unknown>) ?? { url: '/nowhere' }
    results.push(await asked('GET', url))
  }
  return results
}

const finder = (results: unknown[]): Find => (path) => {
  const found = path.split('.').reduce<unknown>((value, key) => Object(value)[key], results)
  if (found === undefined || found === null) throw new Error(`${path} is not in ${JSON.stringify(results)}`)
  return String(found)
}

/** The alert of a source, firing and resolved, as it is sent. */
const alertsOf = ({ source }: Incident, n: number, key: string) => {
  const name = `incident-${n}`
  const signed = (body: string, headers: Record<string, string>) => ({ body, headers })
  if (source === 'alertmanager') {
    return (['firing', 'resolved'] as const).map((status) =>
      signed(payloads.alertmanager(status, [name]), bearer(key)))
  }
  if (source === 'grafana') {
    return (['firing', 'resolved'] as const).map((status) => payloads.grafana(status, name))
      .map((body) => signed(body, grafana(key, body)))
  }
  if (source === 'pagerduty') {
    return ['incident.triggered', 'incident.resolved'].map((type) => payloads.pagerDuty(type, name))
      .map((body) => signed(body, pagerDuty(pagerDutyKey, body)))
  }
  if (source === 'sns') {
    return (['ALARM', 'OK'] as const).map((state) =>
      signed(snsMessage(sns, { Message: payloads.alarm(state, '2026-11-23T08:15:02.345+0000') }), {}))
  }
  return ['firing', 'resolved'].map((status) => JSON.stringify({ id: name, status, title: name }))
    .map((body) => signed(body, standard(key, body)))
}

const more = { pagerduty: { secret: pagerDutyKey }, sns: { topic_arn: topic } } as Partial<Record<string, object>>

const onlyReads = /^(Describe|List|Get|Filter|Batch|StartQuery|AssumeRole)/

for (const [n, incident] of incidents.entries()) {
  t.test(`${incident.name}: one run, which only reads, and a report that stands on what it read`, async (t) => {
    await aws.call('POST', '/reset')
    await aws.call('POST', '/clock', { frozen: true })
    for (const step of incident.steps ?? []) await take(step)
    const find = finder(await read(incident))
    const { planted: [planted, missing], proposes } = incident
    const question = scriptedQuestion(world, [
      call(...incident.reads), ...(proposes ? [call(proposes)] : []),
      say([...incident.report(find), planted].join('\n'))
    ])
    const made = await makeTrigger(app, {
      kind: 'webhook', source: incident.source, question, ...more[incident.source]
    })
    const [firing, resolved] = alertsOf(incident, n, made.secret ?? '')
    const deliver = (event: typeof firing) => post(app, made.id, event?.body ?? '', event?.headers)
    await aws.call('DELETE', '/calls')
    const delivered = await Promise.all([deliver(firing), deliver(firing)])
    t.same(delivered.map(({ is }) => is).sort(), ['accepted', 'duplicate'])
    const firings = await settled(app, made.id)
    t.match(firings, [{ status: 'started', run_status: 'completed' }])
    t.equal(firings.length, 1)
    const { calls } = await aws.call<{ calls: { operation: string }[] }>('GET', '/calls')
    t.same(calls.filter(({ operation }) => !onlyReads.test(operation)), [])
    const report = (await send(app, 'GET', `/reports/${firings[0]?.report_id}`)).json()
    const marked = report.sentences.map(({ text, status, missing: lacks }:
    { text: string, status: string, missing: string[] }) => [text.trim(), status, lacks.includes(missing)])
    const bare = (text: string) => text.replaceAll(/ \[call:[\d.]+\]|\[call:[\d.]+\]/g, '')
    t.same(marked, [
      ...incident.report(find).map((text) => [bare(text), 'supported', false]),
      [bare(planted), 'unsupported', true]
    ])
    t.equal(report.unsupported, 1)
    const inbox = async () => (await send(app, 'GET', '/confirmations')).json().items.length
    t.same([await inbox(), report.proposals.length], proposes ? [1, 1] : [0, 0])
    t.match(await deliver(resolved), { status: 202, is: 'resolved' })
    t.equal(await inbox(), 0)
    const over = (await send(app, 'GET', `/reports/${firings[0]?.report_id}`)).json()
    t.match([report.resolved_at, over.resolved_at], [null, String])
  })
}

t.test('there are thirty, and no two are of one kind', async (t) => {
  t.equal(incidents.length, 30)
  t.equal(new Set(incidents.map(({ name }) => name)).size, 30)
})
