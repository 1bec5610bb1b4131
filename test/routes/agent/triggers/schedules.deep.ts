import t from '../../../tap.js'
import { nextTime } from '../../../../routes/agent/lib/triggers/make-trigger.js'
import { workDue } from '../../../../lib/durable/due-jobs.js'
import { triggerKind } from '../../../../routes/agent/lib/triggers/fire-trigger.js'
import type { ReportSentence } from '../../../../schemas/agent/reports.js'
import { asAdmin } from '../../../app.js'
import { makePerson } from '../../account/actors.js'
import {
  call, firingsOf, firstService, makeDue, makeTrigger, say, scriptedQuestion, send, settled, startWorld
} from './world.js'

const world = await startWorld(t)
const { app } = world
const schedule = { kind: 'schedule', cron: '0 8 * * 1-5', time_zone: 'Europe/Berlin' }
const key = (id: string) => ({ workspace_id: app.home.workspace_id, id })

t.test('8:00 stays 8:00 when the clocks change', async (t) => {
  const times = ['2026-03-27T12:00:00Z', '2026-10-23T12:00:00Z'].map((after) =>
    nextTime(schedule, new Date(after))?.toISOString())
  t.same(times, ['2026-03-30T06:00:00.000Z', '2026-10-26T07:00:00.000Z'])
})

t.test('a schedule that cannot be read is refused with a pointer, and nothing is written', async (t) => {
  const refused = async (body: object) => {
    const { statusCode, ...answer } = await send(app, 'POST', '/triggers', { name: 'x', question: 'y', ...body })
    const { code, errors } = answer.json()
    return [statusCode, code, errors?.[0]?.pointer]
  }
  t.same(await refused({ kind: 'schedule', cron: 'each day at 8' }), [422, 'schedule_invalid', '/cron'])
  t.same(await refused({ kind: 'schedule', cron: '* * * * * *' }), [422, 'schedule_invalid', '/cron'])
  t.same(await refused({ kind: 'schedule', cron: '0 25 * * *' }), [422, 'schedule_invalid', '/cron'])
  t.same(await refused({ kind: 'schedule', cron: '0 0 31 2 *' }), [422, 'schedule_invalid', '/cron'])
  t.same(await refused({ ...schedule, time_zone: 'Mars/Olympus' }), [422, 'schedule_invalid', '/time_zone'])
  t.same(await refused({ kind: 'schedule' }), [422, 'trigger_invalid', '/cron'])
  t.same(await refused({ kind: 'webhook' }), [422, 'trigger_invalid', '/source'])
  t.same(await refused({ kind: 'webhook', source: 'sns' }), [422, 'trigger_invalid', '/topic_arn'])
  t.same(await refused({ kind: 'webhook', source: 'pagerduty' }), [422, 'trigger_invalid', '/secret'])
  t.same(await refused({ ...schedule, source: 'grafana' }), [422, 'trigger_invalid', '/source'])
  t.same((await send(app, 'GET', '/triggers')).json(), { items: [], next_cursor: null })
})

t.test('a schedule with too few or too many fields is refused in words about five', async (t) => {
  for (const [cron, fields] of [['each day at 8', 4], ['* * * * * *', 6]]) {
    const refused = await send(app, 'POST', '/triggers', { kind: 'schedule', name: 'x', question: 'y', cron })
    const message = `It needs five fields, and has ${fields}`
    t.match(refused.json(), { detail: message, errors: [{ pointer: '/cron', code: 'schedule_invalid', message }] })
  }
})

t.test('a due time begins one run, whichever and however many processes see it, and it ends in a report', async (t) => {
  const question = scriptedQuestion(world, [
    call(['listClusters', {}]),
    say('All is well.')
  ])
  const made = await makeTrigger(app, { ...schedule, question })
  t.ok(made.next_at)
  await makeDue(app, made.id, '3 days')
  await Promise.all([1, 2, 3].map(() => workDue(app, triggerKind, key(made.id))))
  const [fired, ...others] = await settled(app, made.id)
  t.same([others, fired?.status, fired?.run_status], [[], 'started', 'completed'])
  const trigger = (await send(app, 'GET', `/triggers/${made.id}`)).json()
  t.ok(new Date(trigger.next_at) > new Date(), 'times that were missed are one run')
  const report = (await send(app, 'GET', `/reports/${fired?.report_id}`)).json()
  t.same(report.sentences.map(({ text, status }: { text: string, status: string }) => [text, status]),
    [['All is well.', 'none']])
  t.match((await send(app, 'GET', '/reports')).json(), { items: [{ trigger_id: made.id, unsupported: 0 }] })
})

t.test('the first report of a newcomer, by the assistant of the sandbox, stands on its results', async (t) => {
  const { id } = await makeTrigger(app, { ...schedule, question: 'Which clusters do I have?' })
  t.equal((await send(app, 'POST', `/triggers/${id}/run`, {})).statusCode, 202)
  const [fired] = await settled(app, id)
  const { sentences } = (await send(app, 'GET', `/reports/${fired?.report_id}`)).json()
  t.same(sentences.map(({ status, missing }: ReportSentence) => [status, missing]),
    [['supported', []], ['supported', []]])
})

t.test('a write is not executed: it waits in the inbox, and the run goes on to its report', async (t) => {
  const service = await firstService(app)
  const question = scriptedQuestion(world, [
    call(['scaleService', { service: service.id, desired_count: service.desired_count + 1 }]),
    say('I propose one more task.')
  ])
  const made = await makeTrigger(app, { ...schedule, question })
  await send(app, 'POST', `/triggers/${made.id}/run`)
  const [fired] = await settled(app, made.id)
  t.match(fired, { run_status: 'completed' })
  const report = (await send(app, 'GET', `/reports/${fired?.report_id}`)).json()
  t.equal(report.proposals.length, 1)
  const inbox = (await send(app, 'GET', '/confirmations')).json().items
  t.match(inbox, [{ tool_call_id: report.proposals[0], status: 'pending', name: 'scaleService' }])
})

t.test('the owner loses the rights: the trigger is off and says so', async (t) => {
  const person = await makePerson(app, 'Ada', 'member')
  const made = await makeTrigger(app, schedule, person.headers)
  const demoted = await app.inject({
    method: 'PATCH',
    url: `/account/users/${person.id}`,
    payload: { role: 'viewer' },
    headers: asAdmin
  })
  t.equal(demoted.statusCode, 200)
  await makeDue(app, made.id)
  await workDue(app, triggerKind, key(made.id))
  await app.jobs.drain()
  t.match((await send(app, 'GET', `/triggers/${made.id}`, undefined, person.headers)).json(),
    { enabled: false, off_reason: 'owner_role' })
  t.match(await firingsOf(app, made.id, person.headers), [{ status: 'skipped', reason: 'owner_role', run_id: null }])
})

t.test('more runs than a day may have are skipped, and another person\'s trigger is not there', async (t) => {
  const question = scriptedQuestion(world, [say('Done.')])
  const made = await makeTrigger(app, { ...schedule, question, runs_a_day: 1 })
  await send(app, 'POST', `/triggers/${made.id}/run`)
  await settled(app, made.id)
  await send(app, 'POST', `/triggers/${made.id}/run`)
  t.match(await settled(app, made.id), [{ status: 'skipped', reason: 'daily_limit' }, { status: 'started' }])
  const other = await makePerson(app, 'Eve', 'admin')
  t.match((await send(app, 'GET', `/triggers/${made.id}`, undefined, other.headers)).json(),
    { status: 404, code: 'trigger_not_found' })
})

t.test('a run whose budget is spent ends: nobody is asked', async (t) => {
  const question = scriptedQuestion(world, [
    call(['listClusters', {}]), say('More.')
  ])
  const made = await makeTrigger(app, { ...schedule, question, budget_usd: 0.000001 })
  await send(app, 'POST', `/triggers/${made.id}/run`)
  t.match(await settled(app, made.id), [{ status: 'started', run_status: 'completed', report_id: null }])
})

t.test('it is changed at its revision, and deleted', async (t) => {
  const made = await makeTrigger(app, schedule)
  const stale = await app.inject({
    method: 'PATCH',
    url: `/api/v1/agent/triggers/${made.id}`,
    payload: { name: 'Other' },
    headers: { ...asAdmin, 'if-match': '"r7"' }
  })
  t.match(stale.json(), { status: 412, code: 'stale_revision' })
  const changed = (await send(app, 'PATCH', `/triggers/${made.id}`, { cron: '0 9 * * *', time_zone: 'UTC' })).json()
  t.match(changed, { revision: 2, cron: '0 9 * * *' })
  t.match(changed.next_at, /T09:00:00/)
  t.equal((await send(app, 'DELETE', `/triggers/${made.id}`)).statusCode, 204)
  t.equal((await send(app, 'GET', `/triggers/${made.id}`)).statusCode, 404)
})
