import { Agent, request } from 'node:http'
import t from '../../tap.js'
import { chat, scripted, startChatApp, until } from '../../chat.js'
import { makePerson, makeToken } from '../account/actors.js'

const [people, each] = [20, 10]
const count = people * each

const { app, anthropic, url } = await startChatApp(t, {
  LIMITS: JSON.stringify({ live_runs_per_user: each, streams_per_user: each, requests_per_minute: 10_000 })
})

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
t.teardown(() => agent.destroy())

const callers: Record<string, string>[] = []
for (let i = 0; i < people; i++) {
  const { headers } = await makePerson(app, `Person ${i}`, 'member')
  callers.push((await makeToken(app, headers, ['agent:read', 'agent:write'])).headers)
}

/** The chats in the order in which they came: of many sockets, the kernel of a busy machine hands on one late. */
const arrived: string[] = []
app.server.prependListener('request', ({ headers }) => {
  if (typeof headers['x-message'] === 'string') arrived.push(headers['x-message'])
})

/** The chats whose first token has come, in this order. */
const begun: string[] = []

/** Their first chats: now their credentials are in use, and what they have spent is known. */
await Promise.all(callers.map((headers) => chat(app, { message: 'Hello' }, headers)))

interface Answer { message: string, status: number | undefined, run: string }

/** Says something over a socket of its own. @returns the answer's status and its run, once it is read to its end */
const say = (message: string, headers: Record<string, string>) => new Promise<Answer>(
  (resolve, reject) => {
    const sent = request(`${url}/api/v1/agent/chat`, {
      method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json', 'x-message': message }
    }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        if (!text.includes('event: content') && (text += chunk).includes('event: content')) begun.push(message)
      })
      answer.on('end', () => resolve({
        message, status: answer.statusCode, run: String(answer.headers['steward-run-id'])
      })).on('error', reject)
    })
    sent.on('error', reject).end(JSON.stringify({ message }))
  })

const cancel = async (message: string, headers: Record<string, string>) => {
  const { id } = await app.db.selectFrom('agent_run').innerJoin('agent_message', 'agent_message.run_id', 'agent_run.id')
    .select('agent_run.id').where('agent_message.search_text', '=', message).where('role', '=', 'user')
    .executeTakeFirstOrThrow()
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${id}/cancel`, headers })
}

t.test(`of ${count} chats at once all begin, in the order in which they came`, async (t) => {
  // They say a word and then nothing: no run ends, so none finds a connection of another to go first on.
  const content = [{ type: 'text' as const, text: 'Slowly. '.repeat(20) }]
  const messages = Array.from({ length: count }, () => scripted(anthropic, [{ content, chunk: 8, delay_ms: 3_000 }]))
  const callerOf = (i: number) => callers[i % people] ?? {}
  const answers = messages.map((message, i) => say(message, callerOf(i)))
  await until(() => begun.length === count, () => begun.length)
  await Promise.all(messages.map((message, i) => cancel(message, callerOf(i))))
  const ended = await Promise.all(answers)
  t.same(ended.filter(({ status }) => status !== 200), [], 'none is refused')
  const runs = arrived.map((message) => ended.find((one) => one.message === message)?.run)
  t.equal(runs.length, count)
  // Who begins is known by a read of its own, and one of several connections may be a little behind the others.
  const sorted = runs.toSorted()
  const late = runs.map((run, i) => Math.abs(sorted.indexOf(run) - i))
  t.ok(Math.max(...late) < (app.database.embedded ? 1 : 20), `rows are made in their order: ${Math.max(...late)}`)
  t.same(begun.toSorted(), messages.toSorted())
  // One connection does one statement after the other; of several, a later one may be quicker. What becomes readable in
  // one turn of a loop, here, at Steward or at the model's server, is read in the order of the kernel.
  const moved = begun.map((message, i) => Math.abs(arrived.indexOf(message) - i))
  if (app.database.embedded) t.ok(Math.max(...moved) < 10, `first tokens come in their order: ${Math.max(...moved)}`)
})
