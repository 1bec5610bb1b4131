import t from '../tap.js'
import { sql } from 'kysely'
import { asAdmin } from '../app.js'
import { approveEdited, chat, confirm, follow, framesOf, scripted, startChatApp, until, type Turn } from '../chat.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import { scaleElsewhere } from '../consent/infrastructure.js'
import { sentToModel, serviceId, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 50 }) })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')

type Headers = Record<string, string>
const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })
const call = (name: string, input: object): Turn => ({ content: [{ type: 'tool_use', name, input }] })

/** Lets the model ask for a call, and shows the question. */
const propose = async (turn: Turn, headers: Headers = asAdmin, session?: string) => {
  const message = scripted(anthropic, [turn, say('All right.')])
  const reply = await chat(app, { message, ...(session && { session_id: session }) }, headers)
  const question = framesOf(reply.frames, 'confirmation_required')[0]?.data ?? {}
  const decide = (approved: boolean, more: object = {}) => {
    const { session_id, confirmation_id } = question
    return confirm(app, { session_id, confirmation_id, approved, ...more }, headers)
  }
  const ended = async () => (await follow(app, reply.session, `${reply.run}:0`, headers)).frames
  return { ...reply, message, question, decide, ended }
}

const noteOf = (message: string) => {
  const [result] = sentToModel(steward, message).results ?? []
  return JSON.parse(String(result?.content)) as { note?: string, content: { desired_count: number } }
}

t.test('an argument from a preference is not reported as an edit, one that the person changed is', async (t) => {
  const { headers } = await makePerson(app, 'Ines', 'member')
  const set = [{ key: 'web', kind: 'default', value: { service: web }, applies_to: ['scaleService'] }]
  await app.inject({ method: 'POST', url: '/api/v1/agent/memory/preferences', headers, payload: { set } })
  const filled = await propose(call('scaleService', { desired_count: 3 }), headers)
  t.same(filled.question.arguments, { service: web, desired_count: 3 })
  await filled.decide(true)
  await filled.ended()
  t.match(noteOf(filled.message), { content: { desired_count: 3 } })
  t.notOk(noteOf(filled.message).note)

  const same = await propose(call('scaleService', { desired_count: 4 }), headers)
  await same.decide(true, { arguments: { desired_count: 4, service: web } })
  await same.ended()
  t.notOk(noteOf(same.message).note, 'the same arguments in another order are no edit')

  const edited = await propose(call('scaleService', { desired_count: 6 }), headers)
  const other = { service: web, desired_count: 5 }
  const { session_id, confirmation_id } = edited.question as { session_id: string, confirmation_id: string }
  await approveEdited(app, { session_id, confirmation_id }, other, headers)
  await edited.ended()
  t.match(noteOf(edited.message).note, /^The user changed the arguments before running\. Ran with: /)
  t.same([await timesScaled(steward, 'web', 5), await timesScaled(steward, 'web', 6)], [1, 0])
})

t.test('a write that the session has sent before says so when it is asked again', async (t) => {
  const turn = call('scaleService', { service: web, desired_count: 2 })
  const first = await propose(turn)
  const again = { label: 'Sent before', before: null, after: 'This session already sent this very call' }
  t.same((first.question.preview as unknown[]).length, 1)
  await first.decide(true)
  await first.ended()
  await scaleElsewhere(app, 'web', 3)
  const second = await propose(turn, asAdmin, first.session)
  t.same(second.question.preview, [{ label: 'Desired count', before: '3', after: '2' }, again])
  const elsewhere = await propose(turn)
  t.same((elsewhere.question.preview as unknown[]).length, 1, 'another session has not')
  await Promise.all([second.decide(false), elsewhere.decide(false)])
})

t.test('E42: what a person is shown hides nothing: signs that reorder or vanish are written out', async (t) => {
  const name = 'safe\u202egnp\u200b.exe'
  const { question, decide, ended } = await propose(call('createProject', { name }))
  const shown = JSON.stringify([question.summary, question.preview])
  t.notMatch(shown, /[\u200b\u202e]/)
  t.match(shown, /safe\\\\u202egnp\\\\u200b\.exe/)
  t.match(question.arguments, { name }, 'the arguments are those that run')
  await decide(false)
  await ended()

  const long = 'x'.repeat(2_000)
  const asked = await propose(call('scaleService', { service: web, desired_count: 3, reason: long.slice(0, 500) }))
  t.ok(String(asked.question.summary).length < 700)
  await asked.decide(false)
})

t.test('E42: whatever is drawn as nothing is written out', async (t) => {
  // Tags, fillers, a joiner of graphemes, variation selectors, separators, the blank Braille pattern.
  const hidden = [
    0xe0041, 0x3164, 0x115f, 0x1160, 0xffa0, 0x34f, 0xfe0f, 0xe0100, 0x2028, 0x2029, 0x2065, 0x2800, 0x1d159
  ]
  const escaped = hidden.map((code) => code.toString(16))
    .map((digits) => digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`).join('')
  const name = `a${hidden.map((code) => String.fromCodePoint(code)).join('')}b`
  const { question, decide } = await propose(call('createProject', { name }))
  t.ok(String(question.summary).includes(`a${escaped}b`), String(question.summary))
  t.ok(JSON.stringify(question.preview).includes(JSON.stringify(`a${escaped}b`).slice(1, -1)))
  await decide(false)
})

t.test('E42: confusables of Latin letters are written out; a text in its own script is not', async (t) => {
  const names = {
    'p\u0430yments': 'p\\\\u0430yments',
    '\u0440\u0430\u0443': '\\\\u0440\\\\u0430\\\\u0443',
    'we\u{1d5bb}': 'we\\\\u{1d5bb}',
    'Оплата web': 'Оплата web',
    'Σύνολο για web': 'Σύνολο για web',
    'Zahlungen für Übersee, 支払い': 'Zahlungen für Übersee, 支払い'
  }
  for (const [name, expected] of Object.entries(names)) {
    const { question, decide, ended } = await propose(call('createProject', { name }))
    for (const part of [question.summary, question.preview]) {
      t.ok(JSON.stringify(part).includes(expected), `${JSON.stringify(part)} shows ${expected}`)
    }
    t.match(question.arguments, { name }, 'the arguments are those that run')
    await decide(false)
    await ended()
  }
})

t.test('H59: a person who was disabled does nothing more: their run ends, and nothing is executed', async (t) => {
  const { id, headers } = await makePerson(app, 'Gone', 'member')
  const asked = await propose(call('createProject', { name: 'After the end' }), headers)
  const payload = { status: 'disabled' }
  await app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload })
  t.equal((await asked.decide(true)).statusCode, 401)
  await app.db.updateTable('agent_confirmation').set({ expires_at: sql`now()` })
    .where('run_id', '=', asked.run).execute()
  const run = await until(() => app.db.selectFrom('agent_run').select(['status', 'reason', 'error'])
    .where('id', '=', asked.run).where('finished_at', 'is not', null).executeTakeFirst())
  t.match(run, { status: 'failed', reason: 'permission_revoked', error: { code: 'permission_revoked' } })
  t.same(await app.db.selectFrom('account_project').select('id').where('name', '=', 'After the end').execute(), [])
})

const scopes = ['agent:read', 'agent:write', 'account:read', 'account:write']
const revoke = (id: string, headers: Headers) => app.inject({ method: 'DELETE', url: `/account/tokens/${id}`, headers })
const expire = (id: string) =>
  app.db.updateTable('account_token').set({ expires_at: sql`now()` }).where('id', '=', id).execute()

/** @returns the end of a run that no credential may continue */
const endOf = (run: string) => until(() => app.db.selectFrom('agent_run').select(['status', 'reason'])
  .where('id', '=', run).where('finished_at', 'is not', null).executeTakeFirst())
const namedSo = (name: string) => app.db.selectFrom('account_project').select('id').where('name', '=', name).execute()

t.test('H59: what a token asked for is not done once the token is revoked or expired', async (t) => {
  for (const [name, end] of Object.entries({ revoked: revoke, expired: expire })) {
    const person = await makePerson(app, `Owner of a ${name} token`, 'member')
    const token = await makeToken(app, person.headers, scopes)
    const asked = await propose(call('createProject', { name: `Through a ${name} token` }), token.headers)
    await end(token.id, person.headers)
    const { session_id, confirmation_id } = asked.question
    const decided = await confirm(app, { session_id, confirmation_id, approved: true }, person.headers)
    t.equal(decided.statusCode, 200, 'the person may approve')
    t.match(await endOf(asked.run), { status: 'failed', reason: 'permission_revoked' })
    t.same(await namedSo(`Through a ${name} token`), [])
  }
})

t.test('H59: a person who may only look now cannot approve what they asked for as a member', async (t) => {
  const { id, headers } = await makePerson(app, 'Demoted', 'member')
  const asked = await propose(call('createProject', { name: 'No longer' }), headers)
  await app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload: { role: 'viewer' } })
  const refused = await asked.decide(true)
  t.match([refused.statusCode, refused.json().code], [403, 'insufficient_role'])
  t.same(await app.db.selectFrom('account_project').select('id').where('name', '=', 'No longer').execute(), [])
})
