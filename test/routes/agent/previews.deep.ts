import t, { type Test } from '../../tap.js'
import { asAdmin, type App } from '../../app.js'
import { chat, follow, framesOf, scripted, startChatApp, until } from '../../chat.js'
import { story } from './story.js'

const createProject = { type: 'tool_use' as const, name: 'createProject', input: { name: 'Never made' } }
const turns = [{ content: [createProject] }, { content: [{ type: 'text' as const, text: 'Done.' }] }]

/** Makes the plan of createProject hang for one test. @returns how often it was called */
const hang = (t: Test, app: App) => {
  const options = app.tools.find('createProject')?.options
  if (!options) throw new Error('createProject does not write')
  let times = 0
  const { plan } = options
  t.teardown(() => { options.plan = plan })
  options.plan = () => {
    times++
    return new Promise(() => {})
  }
  return () => times
}

const countProjects = async (app: App) => (await app.db.selectFrom('account_project').select('id').execute()).length

t.test('a preview that hangs ends its call: no approval is asked, and the model goes on', async (t) => {
  const { app, anthropic } = await startChatApp(t, { LIMITS: '{"preview_timeout_ms":200}' })
  const asked = hang(t, app)
  const { frames } = await chat(app, { message: scripted(anthropic, turns) })
  const detail = 'What this call would do could not be shown, so nobody was asked; it did not run'
  t.match(framesOf(frames, 'tool_result').map(({ data }) => data),
    [{ name: 'createProject', status: 'failed', http_status: null, result: { code: 'preview_failed', detail } }])
  t.same(framesOf(frames, 'confirmation_required'), [])
  t.match(story(frames).at(-1), { type: 'done', status: 'completed' })

  const payload = { name: 'createProject', arguments: createProject.input }
  const proposed = await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload })
  t.match(proposed.json(), { code: 'tool_call_refused', cause: { code: 'preview_failed', status: null } })
  t.equal(asked(), 2)
  t.equal(await countProjects(app), 0)
})

t.test('a run whose preview hangs can be stopped', async (t) => {
  const { app, anthropic } = await startChatApp(t)
  const asked = hang(t, app)
  const message = scripted(anthropic, turns)
  const begun = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    headers: { ...asAdmin, prefer: 'respond-async' },
    payload: { message }
  })
  const { session_id: session, run_id: run } = begun.json() as { session_id: string, run_id: string }
  await until(async () => asked() > 0)
  const url = `/api/v1/agent/runs/${run}/cancel`
  await app.inject({ method: 'POST', url, headers: asAdmin, payload: {} })
  const { frames } = await follow(app, session, `${run}:0`)
  t.match(story(frames).at(-1), { type: 'done', status: 'cancelled' })
  t.equal(await countProjects(app), 0)
})
