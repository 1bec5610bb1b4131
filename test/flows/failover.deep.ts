import { sql } from 'kysely'
import t from '../tap.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, until } from '../chat.js'
import { asAdmin } from '../app.js'
import { askedIn, askToScale, lastId, read, say, serviceId, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50}' })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const { db } = app

const message = 'The database was replaced by a standby or a backup since this was begun: it may have been approved ' +
  'and have run already.'
const row = (verdict: string) => ({ label: 'Failover', before: null, after: `${message} ${verdict}` })
interface Row { label: string, before: unknown, after: unknown }

/** @param question as a frame or an answer holds it: JSON, of which only the preview is looked at */
const rowsOf = (question: { preview?: unknown } = {}) =>
  (question.preview as Row[]).filter(({ label }) => label === 'Failover')
    .map(({ label, before, after }) => ({ label, before, after }))

/** What a promoted standby has of a run: rows of another timeline than its own. */
const failOver = async (run: string): Promise<void> => {
  await db.updateTable('agent_run').set({ timeline: '00000000' }).where('id', '=', run).execute()
  await db.updateTable('agent_confirmation').set({ timeline: '00000000' }).where('run_id', '=', run).execute()
}

/** The same, and how far the call was when the standby got its last row. */
const failOverAt = async (run: string, status: 'approved' | 'dispatching'): Promise<void> => {
  await failOver(run)
  await db.updateTable('agent_confirmation').set({ status: 'approved', decided_at: new Date() })
    .where('run_id', '=', run).execute()
  await db.updateTable('agent_tool_call')
    .set({ status, decided_by: `user:${app.home.admin_id}`, ...(status === 'dispatching' && { claim_epoch: 0 }) })
    .where('run_id', '=', run).execute()
  await db.updateTable('agent_run').set({ status: 'ready', wake_at: new Date() }).where('id', '=', run).execute()
}

/** Runs that begin until the answer is called are of before the failover. */
const startBefore = async () => {
  await sql`alter table agent_run alter column timeline set default '00000000'`.execute(db)
  return () => sql`alter table agent_run alter column timeline set default steward_timeline()`.execute(db)
}

/** Lets the model ask for a call. */
const askFor = async (name: string, input: object) => {
  const text = scripted(anthropic, [{ content: [{ type: 'tool_use', name, input }] }, say('Right.')])
  const { run, frames } = await chat(app, { message: text })
  const [question] = askedIn(frames)
  const { session_id = '', confirmation_id = '' } = question ?? {}
  return { run, decision: { session_id, confirmation_id }, after: lastId(frames) }
}

/** No tool can look up whether a function was run. */
const askToInvoke = async () => {
  const { items } = await read(app, '/infrastructure/serverless/functions')
  const { id } = items.find(({ name }: { name: string }) => name === 'echo')
  return askFor('invokeFunction', { name: id, payload: {} })
}

/** @returns the question of the session that is asked instead of the approved one */
const questionOf = (session: string) => until(async () =>
  (await read(app, `/api/v1/agent/confirmations?session_id=${session}&status=pending`)).items[0])

t.test('a question of before a failover is not approved as it is: it is asked again, and says why', async (t) => {
  const { run, decision } = await askToScale(steward, [[web, 4]])
  await failOver(run)
  const refused = await confirm(app, { ...decision, approved: true })
  t.equal(refused.statusCode, 409)
  const { code, confirmation } = refused.json()
  t.equal(code, 'state_changed')
  t.same(rowsOf(confirmation), [row('Look whether it is done')])
  t.equal(await timesScaled(steward, web, 4), 0)
  const { session_id } = decision
  const again = await confirm(app, { session_id, confirmation_id: confirmation.id, approved: true })
  t.equal(again.statusCode, 200, again.payload)
  const { frames } = await follow(app, session_id, `${run}:0`)
  t.match(frames.at(-1)?.data, { status: 'completed' })
  t.equal(await timesScaled(steward, web, 4), 1)
})

t.test('a question of before a failover about a call that no tool can look up asks the person to look', async (t) => {
  const { run, decision } = await askToInvoke()
  await failOver(run)
  const refused = (await confirm(app, { ...decision, approved: true })).json()
  t.equal(refused.code, 'state_changed')
  t.same(rowsOf(refused.confirmation), [row('Look whether it is done')])
})

t.test('a run of before a failover asks with a line that says so', async (t) => {
  const text = scripted(anthropic, [
    { content: [{ type: 'tool_use', name: 'listClusters', input: {} }] },
    { content: [{ type: 'tool_use', name: 'scaleService', input: { service: search, desired_count: 5 } }] },
    say('Right.')
  ])
  const startAfter = await startBefore()
  const { frames } = await chat(app, { message: text })
  await startAfter()
  t.same(rowsOf(askedIn(frames)[0]?.data), [row('Look whether it is done')])
})

t.test('an approval of before a failover does not run a call: it is asked again', async (t) => {
  const { run, session } = await askToScale(steward, [[search, 6]])
  await failOverAt(run, 'approved')
  t.same(rowsOf(await questionOf(session)), [row('Look whether it is done')])
  t.equal(await timesScaled(steward, search, 6), 0)
})

t.test('a call that was claimed before a failover, and has no record, is looked up: not done, it is asked again',
  async (t) => {
    const { run, decision, after } = await askFor('createProject', { name: 'Forgotten' })
    await failOverAt(run, 'dispatching')
    const question = await questionOf(decision.session_id)
    t.same(rowsOf(question), [row('It looks not done')])
    const names = (await read(app, '/account/projects')).items.map(({ name }: { name: string }) => name)
    t.notOk(names.includes('Forgotten'))
    await confirm(app, { session_id: decision.session_id, confirmation_id: question.id, approved: true })
    const { frames } = await follow(app, decision.session_id, after)
    t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['succeeded'])
  })

t.test('a call that was claimed before a failover, and was done, has succeeded, and is not sent again', async (t) => {
  const { run, session, after } = await askToScale(steward, [[search, 8]])
  const url = `/infrastructure/containers/services/${encodeURIComponent(search)}/scale`
  await app.inject({ method: 'POST', url, headers: asAdmin, payload: { desired_count: 8 } })
  await failOverAt(run, 'dispatching')
  const { frames } = await follow(app, session, after)
  t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['succeeded'])
  t.equal(await timesScaled(steward, search, 8), 1, 'it was not sent again')
})

t.test('a call that was claimed before a failover, and that no tool can look up, is unknown', async (t) => {
  const { run, decision, after } = await askToInvoke()
  await failOverAt(run, 'dispatching')
  const { frames } = await follow(app, decision.session_id, after)
  t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['unknown'])
})
