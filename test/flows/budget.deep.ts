import t from '../tap.js'
import { sql } from 'kysely'
import { chat, confirm, follow, framesOf, scripted, startChatApp, until, type Frame, type Turn } from '../chat.js'
import { makePerson } from '../routes/account/actors.js'

// A million input tokens cost 3 USD, so a cent is 3,334 of them.
const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({
    budget_run_usd: 1, budget_session_usd: 2, budget_user_day_usd: 4, live_runs_per_user: 20
  })
})

type Headers = Record<string, string>
const text = (words: string): Turn['content'] => [{ type: 'text', text: words }]
const free = { output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const costs = (usd: number, content = text('Fine.')): Turn =>
  ({ content, usage: { ...free, input_tokens: Math.round(usd * 1_000_000 / 3) } })
const look: Turn['content'] = [{ type: 'tool_use', name: 'listProjects', input: {} }]
const say = (headers: Headers, turns: Turn[], session?: string) =>
  chat(app, { message: scripted(anthropic, turns), ...(session && { session_id: session }) }, headers)

const questions = (frames: Frame[]) => framesOf(frames, 'confirmation_required').map(({ data }) => data)
const doneOf = (frames: Frame[]) => framesOf(frames, 'done').at(-1)?.data
const decide = (question: Record<string, unknown> | undefined, headers: Headers, approved = true) => {
  const { session_id, confirmation_id } = question ?? {}
  return confirm(app, { session_id, confirmation_id, approved }, headers)
}

t.test('a session that has cost its budget asks for itself, and goes on', async (t) => {
  const { headers } = await makePerson(app, 'Talker', 'member')
  const first = await say(headers, [costs(0.9)])
  await say(headers, [costs(0.9)], first.session)
  const { frames, run } = await say(headers, [costs(0.3, look), costs(0.001)], first.session)
  const [question] = questions(frames)
  t.match(question, {
    kind: 'budget',
    name: 'raise_budget',
    arguments: { raise_by_usd: 1 },
    summary: 'This conversation has cost 2.100000 USD of 2 USD. Let it cost 1 USD more?',
    preview: [{ label: 'Budget of this conversation in USD', before: '2', after: '3' }],
    editable: []
  })
  t.equal((await decide(question, headers)).statusCode, 200)
  const rest = await follow(app, first.session, `${run}:0`, headers)
  t.match(doneOf(rest.frames), { status: 'completed', stop_reason: 'end_turn' })
})

t.test('a question about money that stays unanswered ends the run without an error', async (t) => {
  const { headers } = await makePerson(app, 'Absent', 'member')
  const { frames, session, run } = await say(headers, [costs(1.1, look)])
  const [question] = questions(frames)
  await app.db.updateTable('agent_confirmation').set({ expires_at: sql`now()` }).where('run_id', '=', run).execute()
  const { frames: all } = await follow(app, session, `${run}:0`, headers)
  t.match(doneOf(all), { status: 'completed', final: true, stop_reason: 'budget_reached', pending_confirmations: [] })
  t.equal(framesOf(all, 'done').length, 1)
  t.match((await decide(question, headers)).json(), { status: 410, code: 'confirmation_expired' })
  const next = await say(headers, [costs(0.001)], session)
  t.match(doneOf(next.frames), { status: 'completed', stop_reason: 'end_turn' })
})

t.test('a run that is asked about money while its model pauses goes on with a valid history', async (t) => {
  const { headers } = await makePerson(app, 'Pausing', 'member')
  const pausing: Turn = { ...costs(1.1, text('Let me think.')), stop_reason: 'pause_turn' }
  const { frames, session, run } = await say(headers, [costs(0.001, look), pausing, costs(0.001)])
  const [question] = questions(frames)
  t.match(question, { kind: 'budget', summary: /^This run has cost 1\.10\d+ USD of 1 USD\./ })
  await decide(question, headers)
  const rest = await follow(app, session, `${run}:0`, headers)
  const usage = { model_calls: 3, tool_calls: 1 }
  t.match(doneOf(rest.frames), { status: 'completed', stop_reason: 'end_turn', usage })
  t.same(framesOf(rest.frames, 'error'), [])
})

t.test('what a person spends in a day is counted once, and ends a run at once', async (t) => {
  const { headers } = await makePerson(app, 'Daily', 'member')
  // 0.9 and 1.8 and 2.7 and 3.6: a cap that counted a run's own cost twice would end the fourth run before its answer.
  for (let runs = 0; runs < 4; runs++) {
    const { frames } = await say(headers, [costs(0.45, look), costs(0.45)])
    t.match(doneOf(frames), { status: 'completed', stop_reason: 'end_turn' })
  }
  const { frames, session } = await say(headers, [costs(0.45, look), costs(0.001)])
  t.match(doneOf(frames), { status: 'completed', stop_reason: 'budget_reached', usage: { model_calls: 1 } })
  t.same(questions(frames), [], 'no question: this budget is not the person\'s to raise')
  const refused = await say(headers, [costs(0.001)], session)
  t.match(doneOf(refused.frames), { status: 'completed', stop_reason: 'budget_reached', usage: { model_calls: 0 } })
  const other = await makePerson(app, 'Other', 'member')
  t.match(doneOf((await say(other.headers, [costs(0.001)])).frames), { stop_reason: 'end_turn' })
})

t.test('a new message closes a question about money', async (t) => {
  const { headers } = await makePerson(app, 'Hasty', 'member')
  const { frames, session, run } = await say(headers, [costs(1.1, look)])
  const next = await say(headers, [costs(0.001)], session)
  t.match(doneOf(next.frames), { status: 'completed', stop_reason: 'end_turn' })
  t.match((await decide(questions(frames)[0], headers)).json(), { code: 'confirmation_closed', reason: 'superseded' })
  const closed = await until(() => app.db.selectFrom('agent_run').select(['status', 'reason']).where('id', '=', run)
    .executeTakeFirst())
  t.same(closed, { status: 'cancelled', reason: 'superseded' })
})
