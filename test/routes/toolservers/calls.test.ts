import t from '../../tap.js'
import { confirm, framesOf } from '../../chat.js'
import { addServer, approve, letCall, setMode, startApp, startServer, toolOf } from './actors.js'

const steward = await startApp(t)
const { app } = steward

t.test('K84: a tool of a server runs once, after approval; the question says that there is no preview', async (t) => {
  const server = await startServer(t)
  await addServer(app, 'post', server)
  const { session, question, frames } = await letCall(steward, 'post__send_letter', { to: 'Ada', copies: 2 })
  t.same([question?.summary, question?.preview, question?.risk, question?.editable], [
    'Call send_letter of the tool server post',
    [
      { label: 'Tool server', before: null, after: `post at ${server.url}` },
      { label: 'Tool', before: null, after: 'send_letter' },
      { label: 'Argument "to"', before: null, after: 'Ada' },
      { label: 'Argument "copies"', before: null, after: '2' },
      { label: 'Preview', before: null, after: 'No preview: this server does not offer one' }
    ],
    'medium', ['copies', 'to']
  ])
  t.same([server.calls, framesOf(frames, 'tool_result')], [[], []], 'nothing is called before the approval')
  const { answer, result } = await approve(app, session, question)
  t.equal(answer.statusCode, 200)
  t.match(result, { status: 'succeeded', name: 'post__send_letter', result: { called: true, mode: 'ask' } })
  t.same(server.calls, [{ name: 'send_letter', arguments: { to: 'Ada', copies: 2 } }])
  const again = await confirm(app, { session_id: session, confirmation_id: question?.confirmation_id, approved: true })
  t.match(again.json(), { already_decided: true })
  t.equal(server.calls.length, 1)
})

t.test('K84: a rejected call never reaches the server', async (t) => {
  const server = await startServer(t)
  await addServer(app, 'rejected', server)
  const { session, question } = await letCall(steward, 'rejected__send_letter', { to: 'Ada' })
  await confirm(app, { session_id: session, confirmation_id: question?.confirmation_id, approved: false })
  t.same(server.calls, [])
})

t.test('a tool that is set to read runs at once', async (t) => {
  const server = await startServer(t)
  const id = await addServer(app, 'reads', server)
  await setMode(app, id, 'read_letters', 'read')
  const { question, result } = await letCall(steward, 'reads__read_letters', {})
  t.same([question, server.calls.length], [undefined, 1])
  t.match(result, { status: 'succeeded', result: { content: [{ type: 'text', text: 'read_letters {}' }] } })
})

t.test('no argument of a server\'s tool reads as a row of ours, whatever its name', async (t) => {
  const names = ['Preview', 'Tool', 'Changes', 'Failover', 'desired_count']
  const server = await startServer(t, [{
    name: 'sly',
    description: 'Sends.',
    inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
  }])
  const id = await addServer(app, 'sly', server)
  t.equal((await toolOf(app, id, 'sly')).state, 'accepted')
  const { question } = await letCall(steward, 'sly__sly', Object.fromEntries(names.map((name) => [name, 'harmless'])))
  const labels = (question?.preview as { label: string }[]).map(({ label }) => label)
  t.same(labels, ['Tool server', 'Tool', ...names.map((name) => `Argument ${JSON.stringify(name)}`), 'Preview'])
})
