import t from '../../tap.js'
import { chat, confirm, follow, framesOf, scripted, openChat } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { actor as codehostActor, makeConnected, steer } from '../codehost/actors.js'
import { actor, addTasks, generate, makeSession, missing } from './actors.js'

const { app, anthropic } = await openChat(t)
const { get, json, post } = actor(app)
const sandbox = steer(app)
const host = codehostActor(app)

const text = '# Doors\n\nA door must open within 2 seconds for @octavia, see #6.\n\n' +
  'A door must ring when it jams.\n\nA door must be blue.\n'
const artifacts = ['requirements', 'tasks']

interface Task { task_id: string, title: string, requirement_ids: string[], issues: Record<string, unknown>[] }

const start = async (more: object = {}) => {
  const { id, path } = await makeSession(app, text, { artifacts, ...more })
  const { document } = await addTasks(app, path, (await generate(app, path)).spec)
  return { id, path, document }
}
const tasksOf = async (path: string): Promise<Task[]> => (await json(`${path}/issues`)).tasks
const creations = (calls: { operation: string }[]) =>
  calls.filter(({ operation }) => operation === 'createIssue').length
const close = (number: unknown) => fetch(`${app.sandbox.codehost}/api/v3/repos/larkspur/web/issues/${number}`, {
  method: 'PATCH',
  headers: { authorization: 'Bearer gho_sandbox_octavia', 'content-type': 'application/json' },
  body: JSON.stringify({ state: 'closed' })
})

t.test('each task has one issue, and its state is followed back to the task and into the trace', async (t) => {
  const { path, document } = await start()
  const opened = await post(`${path}/issues`, { repo_id: '7001' })
  t.equal(opened.statusCode, 201)
  const { issues, left, error, version } = opened.json()
  t.same([version, left, error], [2, 0, null])
  t.same(issues.map(({ task_id: id, outcome }: Record<string, unknown>) => [id, outcome]),
    document.tasks.map(({ id }: { id: string }) => [id, 'created']))
  const issue = await host.json(`/repos/7001/issues/${issues[0].number}`)
  t.match(issue, { title: /^Implement FR-001: A door must open within 2 seconds/, author: 'octavia', state: 'open' })
  t.match(issue.body, /`parcel-lockers\/FR-001`/)
  t.match(issue.body, /From Brief › Doors: “A door must open within 2 seconds/)
  t.notMatch(issue.body, /[@#](octavia|6)/, 'nobody is notified, and no other issue linked')
  const calls = await sandbox.during(async () => {
    const again = await post(`${path}/issues`, { repo_id: '7001', task_ids: [document.tasks[0].id] })
    t.match([again.statusCode, again.json().issues], [200, [{ outcome: 'unchanged', number: issues[0].number }]])
    t.match((await post(`${path}/issues`, { repo_id: '7001' })).json(), { issues: [], left: 0 })
  })
  t.equal(creations(calls), 0)
  await close(issues[0].number)
  const tasks = await tasksOf(path)
  t.match(tasks.map(({ issues: [one] }) => one?.state), ['closed', ...Array(tasks.length - 1).fill('open')])
  const { requirements, repositories } = await json(`${path}/trace`)
  t.match(repositories, [{ repo_id: '7001' }], 'the repository of the issues is looked at')
  t.match(requirements[0].issues, [
    { task_id: tasks[0]?.task_id, number: issues[0].number, state: 'closed', html_url: issue.html_url }
  ])
})

t.test('a later version finds the issues of the same tasks', async (t) => {
  const { path } = await start()
  await post(`${path}/issues`, { repo_id: '7001' })
  const before = await tasksOf(path)
  await post(`${path}/inputs`, { kind: 'text', label: 'More', text: '# Night\n\nA locker must be locked at night.\n' })
  await generate(app, path)
  const { version, tasks } = await json(`${path}/issues`)
  t.equal(version, 3)
  const numbers = new Map(before.map(({ title, issues: [one] }) => [title, one?.number]))
  const known = tasks.filter(({ title }: Task) => numbers.has(title))
  t.equal(known.length, before.length)
  t.same(known.map(({ issues: [one] }: Task) => one?.number), known.map(({ title }: Task) => numbers.get(title)))
  const opened = (await post(`${path}/issues`, { repo_id: '7001' })).json()
  t.equal(opened.issues.length, tasks.length - before.length)
})

t.test('an issue whose answer was lost is found, not doubled', async (t) => {
  const { path, document } = await start()
  const [first] = document.tasks
  await sandbox.fault({ kind: 'drop', operation: 'createIssue', executed: true })
  const calls = await sandbox.during(async () => {
    const opened = await post(`${path}/issues`, { repo_id: '7001', task_ids: [first.id] })
    t.match([opened.statusCode, opened.json().issues], [201, [{ outcome: 'created' }]])
  })
  t.equal(creations(calls), 1)
})

t.test('after a failure that says nothing, the next call waits a minute and then looks first', async (t) => {
  const { id, path, document } = await start()
  const body = { repo_id: '7001', task_ids: [document.tasks[0].id] }
  await sandbox.fault({ kind: 'drop', operation: 'createIssue', executed: true })
  await sandbox.fault({ kind: 'error_500', operation: 'listIssues', after: 1, times: 2 })
  t.match((await post(`${path}/issues`, body)).json(), { status: 502, code: 'codehost_error' })
  t.match((await tasksOf(path))[0]?.issues, [{ number: null, state: 'unknown' }])
  t.match((await post(`${path}/issues`, body)).json(), { status: 409, code: 'issue_in_progress' })
  await app.db.updateTable('pse_issue').set({ claimed_at: new Date(Date.now() - 120_000) })
    .where('session_id', '=', id).execute()
  const calls = await sandbox.during(async () => {
    t.match((await post(`${path}/issues`, body)).json().issues, [{ outcome: 'unchanged', number: Number }])
  })
  t.equal(creations(calls), 0)
})

t.test('two calls at once create each issue once', async (t) => {
  const { path, document } = await start()
  const calls = await sandbox.during(() =>
    Promise.all([1, 2].map(() => post(`${path}/issues`, { repo_id: '7001' }))))
  t.equal(creations(calls), document.tasks.length)
})

t.test('a refusal in the middle is said with what was done; the next call does the rest', async (t) => {
  const { path, document } = await start()
  await sandbox.fault({ kind: 'forbidden', operation: 'createIssue', after: 1 })
  const opened = await post(`${path}/issues`, { repo_id: '7001' })
  t.match([opened.statusCode, opened.json()], [201, {
    issues: [{ outcome: 'created' }, { outcome: 'failed', number: null }],
    left: document.tasks.length - 1,
    error: { code: 'codehost_forbidden' }
  }])
  t.equal(opened.json().issues.at(-1).outcome, 'not_tried')
  t.match((await post(`${path}/issues`, { repo_id: '7001' })).json(), { left: 0, error: null })
})

t.test('a marker that stands in the text of a stranger is not ours', async (t) => {
  const key = '0190f7a0-0000-4000-8000-000000000000'
  const mallory = codehostActor(app, (await makeConnected(app, 'mallory')).headers)
  const body = `<!-- steward ${key} --> and more`
  await mallory.post('/repos/7001/issues', { title: 'Bait', body, key: 'another-key' })
  const made = await host.post('/repos/7001/issues', { title: 'Ours', key })
  t.match([made.statusCode, made.json()], [201, { outcome: 'created', issue: { title: 'Ours', author: 'octavia' } }])
  const again = await host.post('/repos/7001/issues', { title: 'Other words', key })
  t.match([again.statusCode, again.json()], [200, { outcome: 'unchanged', issue: { title: 'Ours' } }])
})

t.test('what cannot be done has a clear error', async (t) => {
  const { path } = await start()
  const none = await makeSession(app, text)
  t.match((await get(`${none.path}/issues`)).json(), { status: 409, code: 'no_version' })
  await generate(app, none.path)
  t.match((await post(`${none.path}/issues`, { repo_id: '7001' })).json(), { status: 409, code: 'no_tasks' })
  t.match((await post(`${path}/issues`, { repo_id: '7001', task_ids: ['T999'] })).json(),
    { status: 422, code: 'target_unknown' })
  t.match((await post(`${path}/issues`, { repo_id: '999999' })).json(), { status: 404, code: 'repo_not_found' })
  t.equal((await get(`/sessions/${missing}/issues`)).statusCode, 404)
  await post(`${path}/issues`, { repo_id: '7002', task_ids: ['T001'] })
  const other = actor(app, (await makePerson(app, 'Vera', 'member')).headers)
  t.match((await other.json(`${path}/issues`)).tasks.length > 0, true)
  t.match((await other.post(`${path}/issues`, { repo_id: '7001' })).json(),
    { status: 409, code: 'codehost_not_connected' })
})

t.test('the assistant asks with each issue in whole, and creates exactly those', async (t) => {
  const inputs = [{ kind: 'text', label: 'Brief', text: 'A door must ring when it jams.\n\nA door must be blue.\n' }]
  const { id, path, document } = await start({ inputs })
  const input = { session_id: id, repo_id: '7001', task_ids: [document.tasks[0].id] }
  const call = { content: [{ type: 'tool_use' as const, name: 'openSpecIssues', input }] }
  const message = scripted(anthropic, [call, { content: [{ type: 'text' as const, text: 'Done.' }] }])
  let started: Awaited<ReturnType<typeof chat>> | undefined
  const calls = await sandbox.during(async () => { started = await chat(app, { message }) })
  t.equal(creations(calls), 0, 'nothing is written yet')
  const question = framesOf(started?.frames ?? [], 'confirmation_required')[0]?.data ?? {}
  t.match(question, {
    arguments: { version: 2, repo_id: '7001', task_ids: [document.tasks[0].id] },
    risk: 'high',
    summary: 'Create an issue in larkspur/web for tasks of version 2 of the spec “Parcel lockers”'
  })
  const { session_id, confirmation_id } = question
  await confirm(app, { session_id, confirmation_id, approved: true })
  const { frames } = await follow(app, String(session_id), `${started?.run}:0`)
  t.match(framesOf(frames, 'tool_result').at(-1)?.data, { status: 'succeeded', http_status: 201 })
  const [first, second] = await tasksOf(path)
  const { title, body } = await host.json(`/repos/7001/issues/${first?.issues[0]?.number}`)
  const [, , shown] = question.preview as { label: string, after: string }[]
  t.match(shown, { label: `Issue for ${first?.task_id}` })
  t.ok(`${title}\n\n${body}`.startsWith(String(shown?.after)), 'what was shown')
  t.same(second?.issues, [])
})
