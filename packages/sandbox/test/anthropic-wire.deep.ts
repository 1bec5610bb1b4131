import t from '../../../test/tap.js'
import Anthropic from '@anthropic-ai/sdk'
import { PromptCache } from '../src/anthropic/cache.js'
import { ask, converse, json, object, rawJson, start, textOf, tools, type Params } from './anthropic-setup.js'

t.test('what the API rejects', async (t) => {
  const { client, url } = await start(t)
  const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'listClusters', input: {} })
  const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: '{}' })
  const history = (assistant: object[], user: object[]) =>
    [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: assistant }, { role: 'user', content: user }]
  const named = (name: string) => ({ name, input_schema: object({}) })
  const mark = { cache_control: { type: 'ephemeral' } }
  const user = (content: unknown) => ({ role: 'user', content })
  const assistant = (content: unknown) => ({ role: 'assistant', content })
  const forged = { type: 'thinking', thinking: 'x', signature: 'y' }
  const repeated = history([call('a')], [result('a')])
  const cases: [string, object, RegExp][] = [
    ['no max_tokens', { max_tokens: undefined }, /^max_tokens: Field required$/],
    ['no model', { model: undefined }, /^model: Field required$/],
    ['no messages', { messages: undefined }, /^messages: Field required$/],
    ['empty messages', { messages: [] }, /at least one message is required/],
    ['an assistant first', { messages: [assistant('Hi')] }, /first message must use the "user" role/],
    ['a prefill', { messages: [user('Hi'), assistant('I')] }, /does not support assistant message prefill/],
    ['an empty text block', { messages: [user([{ type: 'text', text: '' }])] }, /must be non-empty/],
    ['an empty message', { messages: [user('')] }, /must have non-empty content/],
    ['an unknown block', { messages: [user([{ type: 'sound' }])] }, /Input tag 'sound'/],
    ['a call without a result', { tools, messages: history([call('a'), call('b')], [result('a')]) },
      /without `tool_result` blocks immediately after: b\./],
    ['a result without a call', { tools, messages: history([call('a')], [result('a'), result('z')]) },
      /unexpected `tool_use_id`.*: z\./],
    ['two results for a call', { tools, messages: history([call('a')], [result('a'), result('a')]) },
      /Found multiple `tool_result` blocks with id: a/],
    ['a text before the results',
      { tools, messages: history([call('a')], [{ type: 'text', text: 'x' }, result('a')]) },
      /immediately after: a\./],
    ['one id for two calls', { tools, messages: [...repeated, ...repeated.slice(1)] }, /ids must be unique/],
    ['calls without tools', { messages: history([call('a')], [result('a')]) }, /must define tools/],
    ['a forged thinking block', { messages: history([forged], [{ type: 'text', text: 'x' }]) }, /Invalid `signature`/],
    ['one name for two tools', { tools: [named('a'), named('a')] }, /must be unique/],
    ['a tool name with a space', { tools: [named('a b')] }, /String should match pattern/],
    ['a tool name too long', { tools: [named('a'.repeat(129))] }, /String should match pattern/],
    ['a schema that is no object', { tools: [{ name: 'a', input_schema: { type: 'string' } }] },
      /Input should be 'object'/],
    ['a union at the top of a schema', { tools: [{ name: 'a', input_schema: { type: 'object', anyOf: [] } }] },
      /does not support oneOf, allOf, or anyOf/],
    ['an open strict tool', { tools: [{ name: 'a', strict: true, input_schema: { type: 'object' } }] },
      /must be explicitly set to false/],
    ['a temperature of 2', { temperature: 2 }, /^temperature:/],
    ['a top_p of 2', { top_p: 2 }, /^top_p:/],
    ['a negative top_k', { top_k: -1 }, /^top_k:/],
    ['an unknown field', { max_token: 1 }, /^max_token: Extra inputs are not permitted$/],
    ['five breakpoints', { system: Array(5).fill({ type: 'text', text: 'x', ...mark }) },
      /maximum of 4 blocks with cache_control/],
    ['a forced tool that is not there', { tools, tool_choice: { type: 'tool', name: 'nope' } },
      /not found in provided tools/]
  ]
  for (const [name, change, message] of cases) {
    t.test(name, async (t) => {
      // The types refuse most of these requests already; the wire does not.
      const params = { ...ask('Hi'), ...change } as Params
      const error = await client.messages.create(params).catch((error: unknown) => error)
      const body = { type: 'error', request_id: /^req_/, error: { type: 'invalid_request_error', message } }
      t.match(error, { status: 400, type: 'invalid_request_error', error: body })
    })
  }

  t.test('a model that is not there', async (t) => {
    await t.rejects(client.messages.create(ask('Hi', { model: 'gpt' })), Anthropic.NotFoundError)
  })

  t.test('a body over 32 MB', async (t) => {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ x: 'x'.repeat(33 * 1024 * 1024) }),
      headers: { ...json, 'x-api-key': 'k', 'anthropic-version': '2026-10-21' }
    })
    t.equal(response.status, 413)
    t.match(await response.json(), { error: { type: 'request_too_large' } })
  })

  t.test('a thinking block comes back as it was, or is refused', async (t) => {
    const params = ask('Which clusters do I have?', { tools, thinking: { type: 'adaptive', display: 'summarized' } })
    const message = await client.messages.stream(params).finalMessage()
    const used = message.content.find((block) => block.type === 'tool_use')
    const answer = { role: 'user' as const, content: [result(used?.id ?? '')] }
    const next = (content: Anthropic.Messages.ContentBlock[]) =>
      client.messages.create({ ...params, messages: [...params.messages, { role: 'assistant', content }, answer] })
    t.equal(message.content[0]?.type, 'thinking')
    t.match(textOf(await next(message.content)), /./)
    const changed = message.content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'other' } : block)
    await t.rejects(next(changed), /cannot be modified/)
  })
})

t.test('a cached prefix dies when its time is over', async (t) => {
  let now = 0
  const cache = new PromptCache(0, () => now)
  const request = { ...ask('Hi'), cache_control: { type: 'ephemeral' as const } }
  const later = (minutes: number) => {
    now += minutes * 60_000
    return cache.use(request).cache_read_input_tokens > 0
  }
  t.same([later(0), later(4), later(4), later(6), later(1)], [false, true, true, false, true])
})

t.test('prompt caching', async (t) => {
  const { client } = await start(t)
  const mark = { cache_control: { type: 'ephemeral' as const } }
  const system = (text: string) => [{ type: 'text' as const, text, ...mark }]
  const usage = async (params: Params) => (await client.messages.create(params)).usage

  t.test('the same prefix is written once and read from then on', async (t) => {
    const first = await usage(ask('One', { tools, system: system('Be brief.') }))
    const second = await usage(ask('Another question', { tools, system: system('Be brief.') }))
    t.ok((first.cache_creation_input_tokens ?? 0) > 100)
    t.equal(first.cache_read_input_tokens, 0)
    t.equal(second.cache_read_input_tokens, first.cache_creation_input_tokens)
    t.equal(second.cache_creation_input_tokens, 0)
    t.ok(second.input_tokens > 0 && second.input_tokens < 50)
  })

  t.test('another order of the tools is another prefix', async (t) => {
    const moved = await usage(ask('One', { tools: tools.toReversed(), system: system('Be brief.') }))
    t.equal(moved.cache_read_input_tokens, 0)
    t.ok((moved.cache_creation_input_tokens ?? 0) > 100)
  })

  t.test('the automatic breakpoint follows a growing conversation', async (t) => {
    const grow = (count: number) => Array.from({ length: count }, (_, index) =>
      ({ role: index % 2 === 0 ? 'user' as const : 'assistant' as const, content: `Message ${index} of them` }))
    const first = await usage(ask('', { ...mark, messages: grow(3) }))
    const second = await usage(ask('', { ...mark, messages: grow(5) }))
    const far = await usage(ask('', { ...mark, messages: grow(45) }))
    t.equal(second.cache_read_input_tokens, first.cache_creation_input_tokens)
    t.equal(second.input_tokens, 0)
    t.equal(far.cache_read_input_tokens, 0, 'the lookback ends after 20 blocks')
  })
})

t.test('scripts and faults', async (t) => {
  const { client, control } = await start(t)
  const script = (turns: object[], text?: string) =>
    control('POST', 'script', { turns, ...(text && { match: { text } }) })
  const turnOf = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more })
  const stream = (text: string) => client.messages.stream(ask(text, { tools }))
  t.afterEach(() => control('POST', 'reset'))

  t.test('turns are played in order, with calls and raw JSON', async (t) => {
    const used = { type: 'tool_use', name: 'x', input: { a: 1 }, id: 'toolu_1' }
    await script([
      { content: [{ type: 'thinking', thinking: 'hm' }, used] },
      turnOf('Second', { usage: { output_tokens: 77 } }),
      { content: [{ type: 'tool_use', name: 'x', raw_json: '{"a": [1, ' }], stop_reason: 'tool_use' }
    ])
    t.match(await stream('a').finalMessage(),
      { stop_reason: 'tool_use', content: [{ type: 'thinking' }, { id: 'toolu_1', input: { a: 1 } }] })
    t.match(await stream('a').finalMessage(), { content: [{ text: 'Second' }], usage: { output_tokens: 77 } })
    t.equal(await rawJson(stream('a')), '{"a": [1, ')
    t.match(textOf(await stream('a').finalMessage()), /No model is connected/, 'then the assistant answers again')
  })

  t.test('parallel conversations get their own turns, in a tool loop too', async (t) => {
    const names = Array.from({ length: 50 }, (_, index) => `marker-${index}-`)
    const call = { content: [{ type: 'tool_use', name: 'listClusters', input: {} }] }
    await Promise.all(names.map((name) => script([call, turnOf(name)], name)))
    const texts = await Promise.all(names.map(async (name) => (await converse(client, `Hello ${name}`)).text))
    t.same(texts, names)
    t.same(await control('GET', 'pending'), { turns: 0, faults: 0 })
  })

  t.test('a title request leaves the script alone', async (t) => {
    await script([turnOf('Scripted')], 'web')
    t.equal(textOf(await client.messages.create(ask('Scale web up', { system: 'Write a title.' }))), 'Scale web up')
    t.equal(textOf(await stream('web').finalMessage()), 'Scripted')
  })

  t.test('HTTP errors before the stream have the status, type and headers of the API', async (t) => {
    const types = {
      400: 'invalid_request_error',
      401: 'authentication_error',
      403: 'permission_error',
      404: 'not_found_error',
      413: 'request_too_large',
      429: 'rate_limit_error',
      500: 'api_error',
      529: 'overloaded_error'
    }
    for (const [code, type] of Object.entries(types)) {
      const status = Number(code)
      await control('POST', 'faults', { kind: 'http_error', status, retry_after_ms: 1500 })
      const error = await stream('a').finalMessage().catch((error: unknown) => error)
      t.match(error, { status, type })
      t.ok(error instanceof Anthropic.APIError && error.headers?.get('retry-after') === '2')
    }
  })

  t.test('a failed attempt does not use up the script', async (t) => {
    await script([turnOf('After the retry')])
    await control('POST', 'faults', { kind: 'http_error', status: 529, retry_after_ms: 1, times: 2 })
    const retrying = client.withOptions({ maxRetries: 2 })
    t.equal(textOf(await retrying.messages.create(ask('a'))), 'After the retry')
  })

  t.test('a stream can break in its middle', async (t) => {
    const broken: [object, object][] = [
      [{ kind: 'stream_error', after_events: 5 }, { status: undefined, type: 'overloaded_error' }],
      [{ kind: 'stream_error', error_type: 'api_error', after_events: 5 }, { status: undefined, type: 'api_error' }],
      [{ kind: 'cut', after_events: 6 }, { message: /terminated/ }],
      [{ kind: 'eof', after_events: 6 }, { message: /ended without/ }],
      [{ kind: 'malformed_json', after_events: 4 }, { message: /JSON at position/ }],
      [{ kind: 'reset' }, Anthropic.APIConnectionError]
    ]
    for (const [fault, expected] of broken) {
      await script([turnOf('one two three four five six', { fault })])
      const pieces: string[] = []
      const running = stream('a').on('text', (piece) => pieces.push(piece))
      t.match(await running.finalMessage().catch((error: unknown) => error), expected, JSON.stringify(fault))
      if ('after_events' in fault) t.ok(pieces.length > 0, 'what came before the break has arrived')
    }
  })

  t.test('a stream can fall silent, or only ping', async (t) => {
    for (const kind of ['hang', 'ping_only', 'no_response']) {
      await script([turnOf('one two three', { fault: { kind, after_events: 4, delay_ms: 10 } })])
      const running = stream('a')
      const timer = setTimeout(() => running.abort(), 80)
      await t.rejects(running.finalMessage(), Anthropic.APIUserAbortError)
      clearTimeout(timer)
    }
  })

  t.test('a slow stream is slow, a split one arrives whole', async (t) => {
    await script([
      turnOf('one two', { fault: { kind: 'slow', delay_ms: 30 } }),
      turnOf('Zürich – 東京 🚀', { fault: { kind: 'split_utf8' } })
    ])
    const from = Date.now()
    await stream('a').finalMessage()
    t.ok(Date.now() - from >= 200)
    t.equal(textOf(await stream('a').finalMessage()), 'Zürich – 東京 🚀')
  })

  t.test('a long answer leaves no listener behind at each wait for its reader', async (t) => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => { warnings.push(name) }
    process.on('warning', onWarning)
    t.teardown(() => process.off('warning', onWarning))
    await script([turnOf('A long answer. '.repeat(20_000))])
    const long = client.messages.stream(ask('a', { tools, max_tokens: 60_000 }))
    t.ok(textOf(await long.finalMessage()).length > 200_000)
    t.same(warnings, [])
  })

  t.test('a turn can end as a model ends one badly', async (t) => {
    const content = ['a', 'b'].map((key) => ({ type: 'tool_use', name: 'x', input: { [key]: key.repeat(8) } }))
    const scriptFault = (kind: string) => script([{ content, fault: { kind } }])
    await scriptFault('truncated_tool_use')
    const cut = stream('a')
    t.match(await rawJson(cut), /^\{"a":"aaaaaaaa"\}\{"b":"b+$/)
    t.equal((await cut.finalMessage()).stop_reason, 'max_tokens')
    await scriptFault('invalid_tool_json')
    t.match(await rawJson(stream('a')), /,\]$/)
    await scriptFault('duplicate_tool_ids')
    const ids = (await stream('a').finalMessage()).content.map((block) => block.type === 'tool_use' ? block.id : '')
    t.equal(ids[0], ids[1])
    await scriptFault('refusal')
    t.match(await stream('a').finalMessage(), { stop_reason: 'refusal', stop_details: { type: 'refusal' } })
  })

  t.test('a paused turn is the one answer that may stand last', async (t) => {
    await script([turnOf('Wait', { fault: { kind: 'pause_turn' } }), turnOf('Done')])
    const paused = await stream('a').finalMessage()
    t.equal(paused.stop_reason, 'pause_turn')
    const messages = [...ask('a').messages, { role: 'assistant' as const, content: paused.content }]
    t.equal(textOf(await client.messages.create(ask('', { messages }))), 'Done')
  })

  t.test('the journal keeps what was received, without secrets', async (t) => {
    await stream('find me').finalMessage()
    await stream('not that').finalMessage()
    await client.messages.create({ ...ask('find me too'), max_tokens: -1 }).catch(() => {})
    const { items } = await control('GET', 'requests?match=find%20me')
    t.equal(items.length, 2)
    t.match(items[0], { path: '/v1/messages', status: 200, answered_by: 'assistant', outcome: 'complete' })
    t.match(items[0], { body: { messages: [{ content: 'find me' }] }, headers: { 'anthropic-version': String } })
    t.equal(items[1]?.status, 400)
    t.notMatch(JSON.stringify(items), 'x-api-key')
    await control('DELETE', 'requests')
    t.same(await control('GET', 'requests'), { items: [] })
  })

  t.test('a script that makes no sense is refused', async (t) => {
    t.match(await control('POST', 'faults', { kind: 'earthquake' }), { error: { type: 'invalid_request_error' } })
  })
})
