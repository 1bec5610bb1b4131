import t from '../../tap.js'
import { chat, confirm, follow, framesOf, scripted, openChat } from '../../chat.js'
import { problemOf } from '../account/actors.js'
import { asAdmin } from '../../app.js'
import { missing } from './actors.js'

const { app, anthropic } = await openChat(t)
const put = (path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'PUT', url: `/pse/standards${path}`, headers: { ...asAdmin, ...headers }, payload })
const read = (name: string) => app.inject({ url: `/pse/standards/${name}`, headers: asAdmin })
const remove = (name: string) => app.inject({ method: 'DELETE', url: `/pse/standards/${name}`, headers: asAdmin })
const isNew = { 'if-none-match': '*' }

const rule = {
  rule_id: 'no-cats',
  title: 'No cats',
  level: 'MUST',
  severity: 'error',
  target: 'requirements.statement',
  check: { fn: 'forbid', options: { patterns: ['\\bcats?\\b'] } }
}
const input = (title: string, more: object = {}) => ({ title, kind: 'ruleset', rules: [rule], ...more })

t.test('If-None-Match: * creates the standard with a key, once', async (t) => {
  t.equal((await put('/from-git', input('From git'))).statusCode, 404, 'without it nothing is made')
  const made = await put('/from-git', input('From git', { key: 'from-git' }), isNew)
  const { standard_id: id } = made.json()
  t.same([made.statusCode, made.headers.etag, made.headers['content-location']], [201, '"r1"', `/pse/standards/${id}`])
  t.match(made.json(), { key: 'from-git', version: 1, revision: 1, status: 'active', title: 'From git' })
  t.same((await read('from-git')).json(), made.json())
  for (const path of ['/from-git', `/${id}`, '?key=from-git']) {
    t.match((await put(path, input('Again'), isNew)).json(),
      { status: 412, code: 'stale_revision', current: { revision: 1 } }, path)
  }
  t.equal((await put('/from-git', input('Next'), { 'if-match': '"r1"' })).json().version, 2)
  t.equal((await put('?key=by-query', input('By query'), isNew)).statusCode, 201)
  t.equal((await put('', input('By body', { key: 'by-body' }), isNew)).statusCode, 201)
})

t.test('of five concurrent creations of one key, one succeeds', async (t) => {
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => put('/racer', input(title), isNew)))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 412, 412, 412, 412])
})

t.test('the key of an archived standard can be used again', async (t) => {
  const { standard_id: old } = (await put('/reborn', input('Old'), isNew)).json()
  await remove('reborn')
  t.match(problemOf(await put(`/${old}`, input('New'), isNew)), { status: 409, code: 'standard_archived' })
  const made = await put('/reborn', input('New'), isNew)
  t.equal(made.statusCode, 201)
  t.not(made.json().standard_id, old)
  t.match((await read('reborn')).json(), { title: 'New' })
  t.match((await read(old)).json(), { title: 'Old', status: 'archived' })
})

t.test('invalid creations are refused with their pointer', async (t) => {
  const cases: [string, object, number, string, string | undefined][] = [
    ['/No', input('x'), 404, 'not_found', undefined],
    [`/${missing}`, input('x'), 404, 'not_found', undefined],
    ['/fresh', input('x', { key: 'other' }), 422, 'read_only_field', '/key'],
    ['/fresh', input('x', { version: 3 }), 422, 'read_only_field', '/version'],
    ['/fresh', input('x', { status: 'deprecated' }), 422, 'read_only_field', '/status'],
    ['/fresh', input('x', { extends: [{ standard: 'fresh' }] }), 422, 'rule_invalid', '/extends/0/standard']
  ]
  for (const [path, body, status, code, pointer] of cases) {
    t.match(problemOf(await put(path, body, isNew)),
      { status, code, ...(pointer && { errors: [{ pointer }] }) }, `${path} ${code}`)
  }
  t.equal((await read('fresh')).statusCode, 404)
})

/** Lets the assistant propose a call. @returns the approval request, and a function that approves it */
const propose = async (name: string, input: object) => {
  const turn = { content: [{ type: 'tool_use' as const, name, input }] }
  const { frames, run } = await chat(app, {
    message: scripted(anthropic, [turn, { content: [{ type: 'text', text: 'Done.' }] }])
  })
  const question = framesOf(frames, 'confirmation_required')[0]?.data ?? {}
  const { session_id, confirmation_id } = question
  const approve = async () => {
    await confirm(app, { session_id, confirmation_id, approved: true })
    return framesOf((await follow(app, String(session_id), `${run}:0`)).frames, 'tool_result')[0]?.data
  }
  return { question, approve }
}

t.test('the assistant asks for approval before it creates, changes or archives a standard', async (t) => {
  const made = await propose('createStandard', input('House rules', { key: 'house' }))
  t.match(made.question, {
    name: 'createStandard',
    risk: 'low',
    summary: 'Add the standard House rules',
    preview: [
      { label: 'key', before: null, after: 'house' },
      { label: 'title', before: null, after: 'House rules' },
      { label: 'kind', before: null, after: 'ruleset' },
      { label: 'scope', before: null, after: '{project_ids: [], spec_types: []}' },
      { label: 'rules', before: null, after: /no-cats/ }
    ]
  })
  t.equal((await read('house')).statusCode, 404, 'nothing is made yet')
  t.match(await made.approve(), { status: 'succeeded', http_status: 201 })

  const changed = await propose('replaceStandard', { standard: 'house', ...input('House rules', { rules: [] }) })
  t.match(changed.question, { risk: 'medium', summary: 'Change the standard House rules (house)' })
  const before = `- rule_id: no-cats
  title: No cats
  statement: ""
  level: MUST
  severity: error
  target: requirements.statement
  check:
    fn: forbid
    options: {patterns: [\\bcats?\\b]}
  good: []
  bad: []
  waivable: true`
  t.match(changed.question.preview, [
    { label: 'version', before: '1', after: '2' },
    { label: 'rules', before, after: '[]', diff: `@@ -1,12 +1,1 @@\n-${before.replaceAll('\n', '\n-')}\n+[]` }
  ], 'absent fields show their defaults')
  t.match(await changed.approve(), { status: 'succeeded', http_status: 200 })
  t.match((await read('house')).json(), { version: 2, rules: [] })

  const gone = await propose('deleteStandard', { standard: 'house' })
  t.match(gone.question, { risk: 'high', summary: 'Archive the standard House rules (house)' })
  t.match((await read('house')).json(), { status: 'active' })
  t.match(await gone.approve(), { status: 'succeeded', http_status: 204 })
  t.match((await read('house')).json(), { status: 'archived' })
})
