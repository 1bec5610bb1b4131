import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, openChat, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { messagesOf } from './story.js'

const { app, anthropic } = await openChat(t)
const base = '/api/v1/agent/sessions'

type Headers = Record<string, string>

const text = (words: string): Turn => ({ content: [{ type: 'text', text: words }] })

const read = (session: string, query: string, headers: Headers) =>
  app.inject({ url: `${base}/${session}/export${query}`, headers })

t.test('a session is exported whole, as Markdown and as JSON', async (t) => {
  const { headers } = await makePerson(app, 'Exa', 'member')
  const asks: Turn = { content: [{ type: 'tool_use', name: 'listProjects', input: { q: 'none ```of``` these' } }] }
  const { session } = await chat(app, { message: scripted(anthropic, [asks, text('There are none.')]) }, headers)
  // More than are read at once.
  for (let count = 0; count < 12; count++) {
    await chat(app, { message: scripted(anthropic, [text(`Number ${count}`)]), session_id: session }, headers)
  }
  const messages = await messagesOf(app, session, headers)
  const json = await read(session, '?format=json', headers)
  t.match(json.headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="session-${session}.json"`
  })
  const { session: { created_at, title, ...shown }, messages: exported } = json.json()
  t.same(shown, { id: session, model: 'claude-sonnet-5-5' })
  t.same(exported, messages)
  t.equal(messages.length, 27)
  const markdown = await read(session, '', headers)
  t.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
  const [head, asked = '', called = '', answered, ...rest] = markdown.payload.split(/\n(?=## (?:You|Assistant), )/)
  t.equal(head, `# ${title}\n\nSession ${session}, ${created_at}, claude-sonnet-5-5\n`)
  t.match(asked, /^## You, \d{4}-.*Z\n\nplease do .*\n$/)
  t.equal(called.split('\n').slice(1).join('\n'), `
### listProjects (read, succeeded)

\`\`\`\`json
{
  "q": "none \`\`\`of\`\`\` these"
}
\`\`\`\`

Result:

\`\`\`json
{
  "items": [],
  "next_cursor": null
}
\`\`\`
`)
  t.match(answered, /^## Assistant, .*\n\nThere are none\.\n$/)
  t.equal(rest.length, 24)
  t.match(rest.at(-1), /Number 11/)
})

t.test('nobody exports the session of another, and no unknown format', async (t) => {
  const { headers } = await makePerson(app, 'Exo', 'member')
  const { session } = await chat(app, { message: scripted(anthropic, [text('Fine.')]) }, headers)
  t.match((await read(session, '', asAdmin)).json(), { status: 404, code: 'session_not_found' })
  t.match((await read(session, '?format=pdf', headers)).json(), { status: 400, errors: [{ pointer: '/format' }] })
})
