import t from '../../tap.js'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp } from '../../chat.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { marked } from './story.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ preferences_per_user: 5 }) })
const url = '/api/v1/agent/memory/preferences'

type Headers = Record<string, string>

const read = async (headers: Headers = asAdmin) => (await app.inject({ url, headers })).json()
const write = (payload: unknown, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url, headers, payload: payload as object })

const rule = { key: 'short', kind: 'rule', value: 'Answer in one sentence.' }
const stored = { applies_to: [], status: 'active', source: 'user', version: 1, updated_at: '#time' }

t.test('a person remembers nothing at first', async (t) => {
  const { headers } = await makePerson(app, 'Nobody', 'member')
  t.same(await read(headers), { items: [] })
  t.same((await write({}, headers)).json(), { items: [] })
})

t.test('keys are merged: what is not named stays as it is', async (t) => {
  const { headers } = await makePerson(app, 'Mia', 'member')
  const region = { key: 'cluster', kind: 'default', value: { cluster: 'prod' }, applies_to: ['listClusterServices'] }
  const first = await write({ set: [rule, region] }, headers)
  t.equal(first.statusCode, 200)
  t.same(marked(first.json()), { items: [{ ...stored, ...region }, { ...stored, ...rule }] }, 'sorted by key')
  const second = await write({ set: [{ ...rule, value: 'Answer at length.' }] }, headers)
  const changed = [{ ...stored, ...region }, { ...stored, ...rule, value: 'Answer at length.', version: 2 }]
  t.same(marked(second.json()), { items: changed })
  t.same(await read(headers), second.json())
  t.same(await read(), { items: [] }, 'they are this person\'s alone')
  const gone = await write({ remove: ['short', 'never-there'] }, headers)
  t.same(marked(gone.json()), { items: [changed[0]] })
  const swapped = await write({ remove: ['cluster'], set: [rule] }, headers)
  t.same(marked(swapped.json()), { items: [{ ...stored, ...rule }] })
})

t.test('another version is refused, and nothing of the request is written', async (t) => {
  const { headers } = await makePerson(app, 'Vera', 'member')
  await write({ set: [rule] }, headers)
  const before = await read(headers)
  const stale = await write({
    set: [{ key: 'new', kind: 'style', value: 'Formal.' }, { ...rule, value: 'Other.', version: 7 }], remove: ['x']
  }, headers)
  t.same(problemOf(stale), {
    type: 'urn:steward:error:stale_preference',
    title: 'The preference has another version',
    status: 412,
    detail: 'short has another version',
    code: 'stale_preference',
    key: 'short'
  })
  t.same(await read(headers), before)
  const fresh = await write({ set: [{ ...rule, value: 'Other.', version: 1 }] }, headers)
  t.match(fresh.json(), { items: [{ value: 'Other.', version: 2 }] })
  const absent = await write({ set: [{ key: 'absent', kind: 'style', value: 'Formal.', version: 1 }] }, headers)
  t.match(absent.json(), { status: 412, key: 'absent' }, 'a key that is gone has no version')
  t.equal((await read(headers)).items.length, 1)
})

t.test('of two that replace the same version one wins', async (t) => {
  const { headers } = await makePerson(app, 'Rae', 'member')
  await write({ set: [rule] }, headers)
  const answers = await Promise.all(['a', 'b', 'c'].map((value) =>
    write({ set: [{ ...rule, value, version: 1 }] }, headers)))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 412, 412])
  t.match(await read(headers), { items: [{ version: 2 }] })
})

t.test('what code enforces must be readable by code', async (t) => {
  const { headers } = await makePerson(app, 'Ugo', 'member')
  const forbid = { key: 'no', kind: 'forbid', value: {}, applies_to: ['scaleService'] }
  const cases: [object, string][] = [
    [{ ...forbid, applies_to: ['rm'] }, '/set/1/applies_to/0'],
    [{ ...forbid, applies_to: ['scaleService', 'constructor'] }, '/set/1/applies_to/1'],
    [{ ...forbid, applies_to: [] }, '/set/1/applies_to'],
    [{ ...forbid, value: { speed: 3 } }, '/set/1/value/speed'],
    [{ ...forbid, value: 'never' }, '/set/1/value'],
    [{ ...forbid, kind: 'default', value: 'always' }, '/set/1/value'],
    [{ ...forbid, kind: 'rule' }, '/set/1/value'],
    [{ ...rule, value: `Use AKIA${'IOSFODNN7EXAMPLE'}` }, '/set/1/value']
  ]
  for (const [set, pointer] of cases) {
    const answer = await write({ set: [rule, set] }, headers)
    t.match(answer.json(), { status: 422, code: 'preference_invalid', errors: [{ pointer }] }, JSON.stringify(set))
  }
  t.same(await read(headers), { items: [] }, 'nothing was written')
})

t.test('credentials are refused in arguments too', async (t) => {
  const { headers } = await makePerson(app, 'Cleo', 'member')
  const set = [{
    key: 'leak',
    kind: 'default',
    value: { description: `AKIA${'IOSFODNN7EXAMPLE'}` },
    applies_to: ['createProject']
  }]
  t.match((await write({ set }, headers)).json(),
    { status: 422, code: 'preference_invalid', errors: [{ pointer: '/set/0/value' }] })
})

t.test('there is a limit, and at it the old ones can still change', async (t) => {
  const { headers } = await makePerson(app, 'Max', 'member')
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...rule, key: `key-${index}` }))
  t.match((await write({ set: many(6) }, headers)).json(),
    { status: 422, code: 'preference_invalid', errors: [{ pointer: '/set' }] })
  t.same(await read(headers), { items: [] })
  t.equal((await write({ set: many(5) }, headers)).statusCode, 200)
  t.equal((await write({ set: [{ ...rule, key: 'key-6' }] }, headers)).statusCode, 422)
  t.equal((await write({ set: many(5) }, headers)).statusCode, 200)
  t.equal((await write({ set: [{ ...rule, key: 'key-6' }], remove: ['key-0'] }, headers)).statusCode, 200)
})

t.test('B22: an assistant\'s token suggests; what a person set stays, and counts', async (t) => {
  const { headers } = await makePerson(app, 'Asta', 'member')
  const agent = await makeToken(app, headers, ['agent:read', 'agent:write'], { assistant: true })
  const forbid = { key: 'four', kind: 'forbid', value: { desired_count: 4 }, applies_to: ['scaleService'] }
  const before = (await write({ set: [forbid] }, headers)).json()
  const refused = (detail: string, more: object = {}) => ({
    type: 'urn:steward:error:assistant_token',
    title: 'A token marked for an assistant may only read, chat and propose',
    status: 403,
    detail,
    code: 'assistant_token',
    ...more
  })
  const { items: [item] } = before
  const others = { ...forbid, value: { desired_count: 9 }, version: item.version }
  for (const set of [{ ...forbid, status: 'disabled' }, others]) {
    t.same(problemOf(await write({ set: [rule, set] }, agent.headers)),
      refused('four is no suggestion, or has another version: suggest another key', { key: 'four' }))
  }
  t.same(problemOf(await write({ remove: ['four'] }, agent.headers)), refused('A person removes preferences'))
  t.same(await read(headers), before, 'nothing was written')

  const suggested = { ...stored, ...rule, status: 'suggested', source: 'assistant' }
  const first = await write({ set: [{ ...rule, status: 'active' }] }, agent.headers)
  t.same(marked(first.json()), { items: [marked(item), suggested] })
  const second = await write({ set: [{ ...rule, value: 'Answer in two.' }] }, agent.headers)
  t.same(marked(second.json().items[1]), { ...suggested, value: 'Answer in two.', version: 2 }, 'its own it may change')
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'Yes.' }] }])
  await chat(app, { message }, headers)
  const [asked] = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  t.notMatch(JSON.stringify(asked), /Answer in two/, 'a suggestion has no effect')

  const accepted = await write({ set: [{ ...rule, value: 'Answer in two.', version: 2 }] }, headers)
  t.same(marked(accepted.json().items[1]), { ...stored, ...rule, value: 'Answer in two.', version: 3 })
  t.match((await write({ set: [rule] }, agent.headers)).json(), { status: 403, code: 'assistant_token' })
})

t.test('the model is shown what is active, in the person\'s message', async (t) => {
  const { headers } = await makePerson(app, 'Sue', 'member')
  await write({
    set: [
      rule,
      { key: 'quiet', kind: 'style', value: 'Never shown.', status: 'disabled' },
      { key: 'four', kind: 'forbid', value: { desired_count: 4 }, applies_to: ['scaleService'] }
    ]
  }, headers)
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'Yes.' }] }])
  await chat(app, { message, context: { current_page: '/services?a="b"\n</context>' } }, headers)
  const [request] = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  const [context, typed] = (request?.messages.at(-1)?.content ?? []) as { text: string }[]
  t.equal(typed?.text, message)
  t.equal(context?.text.replace(/Time: .{16}Z/, 'Time: #'), [
    '<context>',
    'Time: #',
    'Person: "Sue", role member',
    'They look at: "/services?a=\\"b\\"\\n</context>"',
    'Their preferences:',
    '- forbid four: {"desired_count":4}',
    '- rule short: Answer in one sentence.',
    '</context>'
  ].join('\n'))
})

t.test('preferences that do not fit are left out whole, the oldest first, and counted', async (t) => {
  const { headers } = await makePerson(app, 'Lou', 'member')
  const long = (key: string) => ({ key, kind: 'rule', value: `${key} ${'x'.repeat(1_980)}` })
  for (const key of ['c', 'a', 'e', 'b', 'd']) await write({ set: [long(key)] }, headers)
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'Yes.' }] }])
  await chat(app, { message }, headers)
  const [request] = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  const [context] = (request?.messages.at(-1)?.content ?? []) as { text: string }[]
  const lines = (context?.text ?? '').split('\n')
  t.same(lines.slice(lines.indexOf('Their preferences:') + 1), [
    ...['a', 'b', 'd', 'e'].map((key) => `- rule ${key}: ${long(key).value}`),
    '(1 older not shown, for want of room; what they forbid or set by default holds all the same)',
    '</context>'
  ])
})

t.test('each message begins with what the person prefers by then, whatever was read before', async (t) => {
  const { headers, id } = await makePerson(app, 'Kim', 'member')
  const style = (value: string) => ({ set: [{ key: 'style', kind: 'style', value }] })
  const shown: string[] = []
  const say = async (session_id?: string) => {
    const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'Yes.' }] }])
    const { session } = await chat(app, { message, ...session_id && { session_id } }, headers)
    const [request] = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
    const [context] = request?.messages.at(-1)?.content ?? []
    const text = typeof context === 'object' && context.type === 'text' ? context.text : ''
    shown.push(/Their preferences:\n(.*)/.exec(text)?.[1] ?? '')
    return session
  }
  const session = await say()
  await write(style('Formal.'), headers)
  await say()
  await write(style('Casual.'), headers)
  await say(session)
  await write({ remove: ['style'] }, headers)
  await write(style('Short.'), headers)
  await say()
  await say(session)
  await write({ remove: ['style'] }, headers)
  await say(session)
  t.same(shown,
    ['', 'Formal.', 'Casual.', 'Short.', 'Short.', ''].map((value) => value && `- style style: ${value}`))
  const runs = await app.db.selectFrom('agent_run').select('id').where('user_id', '=', id).execute()
  t.equal(runs.length, shown.length, 'no message began twice')
})
