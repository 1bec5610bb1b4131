import t from '../../tap.js'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { chat, framesOf, scripted, startChatApp, textOf, type Turn } from '../../chat.js'
import { done, messagesOf, spoken, story } from './story.js'

const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ model_idle_ms: 4_000, model_retry_base_ms: 1 })
})

const speech: Turn = { content: [{ type: 'text', text: 'Grüße, 12 services are fine 🚀.' }], chunk: 5 }
const { text } = speech.content[0] as { text: string }
const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }

/** Sends a message that the model answers with these turns. */
const say = async (turns: Turn[]) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message })
  const requests = anthropic.control.requests(message)
    .map(({ body }) => body as MessageCreateParamsBase).filter(({ stream }) => stream)
  return { ...reply, requests }
}

const retry = (code: string, message: string) =>
  ({ type: 'error', code, message: `${message} Trying again.`, fatal: false, retryable: true })

/** The story without how long a pause was, which is chance. */
const tale = (reply: Awaited<ReturnType<typeof say>>) => story(reply.frames).map((entry) => {
  const { retry_after_ms: _, ...rest } = entry as Record<string, unknown>
  return typeof entry === 'string' ? entry : rest
})

// The first answer of a process is slow, which is not what is tested here.
await say(Array.from({ length: 5 }, () => speech))
anthropic.control.reset()

const busy = retry('model_overloaded', 'The model is busy.')
const broken = retry('model_stream_broken', 'The connection to the model broke.')
const silent = retry('model_stream_stalled', 'The model fell silent.')
const failing = retry('model_unavailable', 'The model provider failed.')
const limited = retry('model_rate_limited', 'The model limits our requests.')

type Fault = NonNullable<Turn['fault']>
const repeats: [string, Fault, unknown[]][] = [
  ['is overloaded before it answers', { kind: 'http_error', status: 529 }, [busy]],
  ['fails before it answers', { kind: 'http_error', status: 500 }, [failing]],
  ['limits us', { kind: 'http_error', status: 429, retry_after_ms: 30 }, [limited]],
  ['resets the connection', { kind: 'reset' }, [broken]],
  ['never answers', { kind: 'no_response' }, [silent]],
  ['is overloaded in the stream', { kind: 'stream_error', after_events: 5 }, [{ text: 'Grüße, 12 ' }, busy, 'reset']],
  ['fails in the stream', { kind: 'stream_error', error_type: 'api_error', after_events: 5 },
    [{ text: 'Grüße, 12 ' }, broken, 'reset']],
  ['is cut off', { kind: 'cut', after_events: 5 }, [{ text: 'Grüße, 12 ' }, broken, 'reset']],
  ['ends cleanly before it is done', { kind: 'eof', after_events: 5 }, [{ text: 'Grüße, 12 ' }, broken, 'reset']],
  ['ends cleanly without its last event', { kind: 'eof', after_events: 11 }, [{ text }, broken, 'reset']],
  ['hangs', { kind: 'hang', after_events: 5 }, [{ text: 'Grüße, 12 ' }, silent, 'reset']],
  ['sends a line that is not JSON', { kind: 'malformed_json', after_events: 5 },
    [{ text: 'Grüße, 12 ' }, broken, 'reset']],
  ['is cut off before its first word', { kind: 'cut', after_events: 1 }, [broken]]
]

for (const [name, fault, before] of repeats) {
  t.test(`I61, P2, P3, P4: a model that ${name} is asked again; the client ends with what is stored`, async (t) => {
    const reply = await say([{ ...speech, fault }, speech])
    // A call that the model had begun to answer is charged.
    const model_calls = fault.after_events === undefined ? 1 : 2
    t.same(tale(reply), [...before, { text }, done({}, { model_calls })])
    t.equal(textOf(reply.frames), text)
    t.equal(await spoken(app, reply.session), text)
    t.equal(reply.requests.length, 2)
    t.same(reply.requests[1], reply.requests[0], 'the same request')
  })
}

t.test('a pause that the provider asks for is kept and announced', async (t) => {
  const { frames } = await say([{ ...speech, fault: { kind: 'http_error', status: 429, retry_after_ms: 45 } }, speech])
  t.equal(framesOf(frames, 'error')[0]?.data.retry_after_ms, 45)
})

t.test('characters torn between packets arrive whole', async (t) => {
  const reply = await say([{ ...speech, fault: { kind: 'split_utf8' } }])
  t.same(tale(reply), [{ text }, done()])
  t.equal(await spoken(app, reply.session), text)
})

t.test('I61: when all tries are spent the run fails, keeps what was seen, and the session goes on', async (t) => {
  const broken = { ...speech, fault: { kind: 'cut' as const, after_events: 5 } }
  const reply = await say([broken, broken, broken, broken])
  const piece = 'Grüße, 12 '
  t.same(tale(reply).slice(-3), [{ text: piece }, {
    type: 'error',
    code: 'model_stream_broken',
    message: 'The connection to the model broke.',
    fatal: true,
    retryable: true
  }, done({ status: 'failed', stop_reason: null }, { model_calls: 4 })])
  t.equal(reply.requests.length, 4)
  t.equal(textOf(reply.frames), piece)
  t.match(await messagesOf(app, reply.session), [{ role: 'user' }, { text: piece, stop_reason: 'error' }])
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: reply.session })
  t.match(story(next.frames), [{ text }, { status: 'completed' }])
})

const refusals: [number, string, string][] = [
  [400, 'model_bad_request', 'The model refused the request.'],
  [401, 'model_auth', 'The model provider refused our credentials.'],
  [403, 'model_auth', 'The model provider refused our credentials.'],
  [413, 'model_context_exceeded', 'The conversation is too long for the model.']
]

for (const [status, code, message] of refusals) {
  t.test(`I61: a model that answers ${status} is not asked again, and its words stay here`, async (t) => {
    const fault = { kind: 'http_error' as const, status, message: 'org-secret-words' }
    const reply = await say([{ ...speech, fault }])
    t.same(story(reply.frames), [
      { type: 'error', code, message, fatal: true, retryable: false, retry_after_ms: null },
      done({ status: 'failed', stop_reason: null, message_id: null },
        { model_calls: 0 })
    ])
    t.notMatch(reply.answer.payload, 'org-secret-words')
    const run = await app.db.selectFrom('agent_run').selectAll().where('id', '=', reply.run).executeTakeFirstOrThrow()
    t.match(run, { status: 'failed', reason: code, error: { code, message } })
    t.notMatch(JSON.stringify(run), 'org-secret-words')
    const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: reply.session })
    t.match(story(next.frames), [{ text }, { status: 'completed' }])
  })
}

t.test('I61: a spend limit at the provider is not a rate limit', async (t) => {
  const fault = { kind: 'http_error' as const, status: 429, error_type: 'enforced_spend_limit_reached' }
  const reply = await say([{ ...speech, fault }])
  t.match(story(reply.frames), [{ code: 'spend_limit_reached', fatal: true, retryable: false }, { status: 'failed' }])
})

/** The results that a request to the model holds. */
const resultsOf = (request: MessageCreateParamsBase | undefined) => {
  const content = request?.messages.at(-1)?.content
  return Array.isArray(content) ? content.filter((block) => block.type === 'tool_result') : []
}

const creation = { type: 'tool_use' as const, name: 'createProject', input: { name: 'Must never be' } }
const projects = async () => {
  const rows = await app.db.selectFrom('account_project').select('name').execute()
  return rows.filter(({ name }) => name === 'Must never be').length
}

t.test('E43: arguments that are not JSON never run; the model learns it', async (t) => {
  const reply = await say([{ content: [creation], fault: { kind: 'invalid_tool_json' } }, speech])
  t.match(story(reply.frames), [
    { type: 'tool_call', name: 'createProject', status: 'denied' },
    { type: 'tool_result', status: 'failed', result: { code: 'arguments_malformed' } },
    { text },
    { status: 'completed' }
  ])
  t.match(resultsOf(reply.requests[1]), [{ is_error: true, content: /arguments_malformed/ }])
  t.equal(await projects(), 0)
})

t.test('E43, P5: a cut call that claims to be whole never runs; the model learns it', async (t) => {
  const raw = { ...creation, raw_json: '{"name":"Must never be"' }
  const reply = await say([{ content: [raw], stop_reason: 'tool_use' }, speech])
  t.match(resultsOf(reply.requests[1]), [{ is_error: true, content: /arguments_malformed/ }])
  t.equal(framesOf(reply.frames, 'confirmation_required').length, 0)
  t.equal(await projects(), 0)
})

t.test('arguments that are JSON but no object never run', async (t) => {
  const content = ['["name"]', 'null'].map((raw_json) => ({ ...creation, raw_json }))
  const reply = await say([{ content }, speech])
  t.match(resultsOf(reply.requests[1]), [{ content: /arguments_malformed/ }, { content: /arguments_malformed/ }])
})

const cut: Turn = {
  content: [{ type: 'text', text: 'I shall.' }, creation], fault: { kind: 'truncated_tool_use' }
}

t.test('a turn cut in a call is asked again once, with more room', async (t) => {
  const reply = await say([cut, speech])
  t.same(story(reply.frames), [{ text: 'I shall.' }, 'reset', { text }, done({}, { model_calls: 2 })])
  t.same(reply.requests.map(({ max_tokens }) => max_tokens), [8192, 16384])
  t.equal(await spoken(app, reply.session), text)
})

t.test('E43, P5: a turn cut in a call twice runs nothing and says so', async (t) => {
  const reply = await say([cut, cut])
  t.match(story(reply.frames), [
    { text: 'I shall.' }, 'reset', { text: 'I shall.' },
    { code: 'model_output_truncated', fatal: false }, { status: 'completed', stop_reason: 'max_tokens' }
  ])
  t.match(await messagesOf(app, reply.session), [{ role: 'user' }, { text: 'I shall.', tool_calls: [] }])
  t.equal(await projects(), 0)
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: reply.session })
  t.match(story(next.frames), [{ text }, { status: 'completed' }])
})

t.test('a long text without calls is kept as it was cut', async (t) => {
  const reply = await say([{ ...speech, stop_reason: 'max_tokens' }])
  t.match(story(reply.frames), [{ text }, { code: 'model_output_truncated' }, { stop_reason: 'max_tokens' }])
  t.equal(reply.requests.length, 1)
})

t.test('two calls with one id both run and both get a result', async (t) => {
  const reply = await say([
    { content: [readCall, { ...readCall, name: 'listProjects' }], fault: { kind: 'duplicate_tool_ids' } }, speech
  ])
  const results = resultsOf(reply.requests[1]) as { tool_use_id: string, content: string }[]
  t.match(results, [{ content: /"source":"listClusters"/ }, { content: /"source":"listProjects"/ }])
  t.not(results[0]?.tool_use_id, results[1]?.tool_use_id)
  const ends = framesOf(reply.frames, 'tool_result').map(({ data }) => [data.name, data.status]).sort()
  t.same(ends, [['listClusters', 'succeeded'], ['listProjects', 'succeeded']])
})

t.test('P5: a refusal runs nothing and is reported', async (t) => {
  const reply = await say([{ content: [{ type: 'text', text: 'No.' }, creation], fault: { kind: 'refusal' } }])
  t.same(story(reply.frames), [
    { text: 'No.' },
    {
      type: 'error',
      code: 'model_refused',
      message: 'The model declined to answer.',
      fatal: false,
      retryable: false,
      retry_after_ms: null
    },
    done({ stop_reason: 'refusal' })
  ])
  t.match(await messagesOf(app, reply.session), [{ role: 'user' }, { text: 'No.', tool_calls: [] }])
})

t.test('a refusal without a word leaves a session that goes on', async (t) => {
  const reply = await say([{ content: [], fault: { kind: 'refusal' } }])
  t.match(story(reply.frames), [{ code: 'model_refused' }, { stop_reason: 'refusal', message_id: null }])
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id: reply.session })
  t.match(story(next.frames), [{ text }, { status: 'completed' }])
})

t.test('P6: a model that pauses goes on where it was', async (t) => {
  const reply = await say([{ content: [{ type: 'text', text: 'One. ' }], fault: { kind: 'pause_turn' } }, speech])
  t.equal(textOf(reply.frames), `One. \n${text}`)
  t.equal(await spoken(app, reply.session), textOf(reply.frames))
  t.match(reply.requests[1]?.messages.at(-1), { role: 'assistant', content: [{ text: 'One. ' }] })
  t.match(story(reply.frames).at(-1), { status: 'completed', usage: { model_calls: 2 } })
})
