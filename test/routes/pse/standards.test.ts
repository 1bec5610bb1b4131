import t from '../../tap.js'
import { makePerson, problemOf } from '../account/actors.js'
import { asAdmin, workspace } from '../../app.js'
import { resolveStandards } from '../../../routes/pse/lib/standards/resolve-standards.js'
import { missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path: string, payload?: object, headers: Record<string, string> = {}) => app.inject({
  method,
  url: `/pse/standards${path}`,
  headers: { ...('cookie' in headers ? {} : asAdmin), ...headers },
  ...(payload && { payload })
})

const rule = (rule_id: string, more: object = {}) => ({
  rule_id,
  title: 'No cats',
  level: 'MUST',
  severity: 'error',
  target: 'requirements.statement',
  check: { fn: 'forbid', options: { patterns: ['\\bcats?\\b'] } },
  ...more
})

const input = (title: string, more: object = {}) => ({ title, kind: 'ruleset', rules: [rule('no-cats')], ...more })
const make = async (title: string, more: object = {}) => {
  const made = await call('POST', '', input(title, more))
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json()
}

/** The workspace's standards, without the built-in ones. */
const own = async (query: string): Promise<object[]> =>
  (await call('GET', query)).json().items.filter(({ source }: { source: string }) => source === 'user')

t.test('a standard can be created, read, replaced, listed and archived', async (t) => {
  const made = await call('POST', '', input('House Rules'))
  const standard = made.json()
  t.same([made.statusCode, made.headers.etag, made.headers.location],
    [201, '"r1"', `/pse/standards/${standard.standard_id}`])
  t.same(standard, {
    standard_id: standard.standard_id,
    key: 'house-rules',
    version: 1,
    revision: 1,
    status: 'active',
    source: 'user',
    created_by: app.home.admin_id,
    created_at: standard.created_at,
    updated_at: standard.created_at,
    title: 'House Rules',
    description: '',
    kind: 'ruleset',
    tags: [],
    scope: { project_ids: [], spec_types: [] },
    body_markdown: '',
    rules: [{ ...rule('no-cats'), statement: '', good: [], bad: [], waivable: true }],
    extends: [],
    overrides: []
  })
  for (const name of [standard.standard_id, 'house-rules']) t.same((await call('GET', `/${name}`)).json(), standard)

  const same = await call('PUT', '/house-rules', standard)
  t.same([same.statusCode, same.headers.etag, same.json()], [200, '"r1"', standard], 'an unchanged standard')
  const next = await call('PUT', '/house-rules', { ...standard, description: 'Ours', tags: ['base'] },
    { 'if-match': '"r1"' })
  t.same([next.statusCode, next.headers.etag], [200, '"r2"'])
  t.same(next.json(), {
    ...standard, description: 'Ours', tags: ['base'], version: 2, revision: 2, updated_at: next.json().updated_at
  })
  t.match((await call('GET', '/house-rules?version=1')).json(), { version: 1, description: '' })
  t.match((await call('PUT', '/house-rules', input('Late'), { 'if-match': '"r1"' })).json(),
    { status: 412, code: 'stale_revision', current: { revision: 2 } })

  const { rules: _, body_markdown: __, overrides: ___, ...brief } = next.json()
  t.same((await call('GET', '?tag=base')).json(), { items: [{ ...brief, rule_count: 1 }], next_cursor: null })
  t.same((await call('GET', '?kind=glossary')).json().items, [])
  t.same((await own(`?project_id=${missing}`)).length, 1, 'a standard of the workspace belongs to every project')

  t.equal((await call('DELETE', '/house-rules', undefined, { 'if-match': '"r1"' })).statusCode, 412)
  for (const again of [1, 2]) t.equal((await call('DELETE', '/house-rules')).statusCode, 204, String(again))
  t.match((await call('GET', '/house-rules')).json(), { status: 'archived', version: 2, revision: 3 })
  t.same(await own(''), [])
  t.same((await call('GET', '?status=archived')).json().items.length, 1)
  t.match(problemOf(await call('PUT', '/house-rules', input('Back'))), { status: 409, code: 'standard_archived' })
  t.match((await call('PUT', '/house-rules', input('Back', { status: 'active' }))).json(),
    { status: 'active', version: 3 })
})

t.test('A8: PUT and DELETE name the standard in the query or the body; a bare DELETE deletes nothing', async (t) => {
  const { standard_id: id } = await make('Literal', { key: 'literal' })
  for (const [query, more] of [[`?standard_id=${id}`, {}], ['?key=literal', {}], ['', { standard_id: id }],
    ['', { key: 'literal' }]] as const) {
    const changed = await call('PUT', query, input(`By ${query || Object.keys(more)[0]}`, more))
    t.same([changed.statusCode, changed.headers['content-location']], [200, `/pse/standards/${id}`], changed.payload)
  }
  const other = await make('Other')
  const cases: [Method, string, object | undefined, string][] = [
    ['DELETE', '', undefined, 'standard_id_required'],
    ['PUT', '', input('Nobody'), 'standard_id_required'],
    ['DELETE', `?standard_id=${id}&key=literal`, undefined, 'standard_id_conflict'],
    ['PUT', `?standard_id=${id}`, input('Two', { standard_id: other.standard_id }), 'standard_id_conflict'],
    ['PUT', '?key=literal', input('Two', { standard_id: other.standard_id }), 'standard_id_conflict'],
    ['PUT', `/${id}`, input('Two', { standard_id: other.standard_id }), 'standard_id_conflict']
  ]
  for (const [method, path, body, code] of cases) {
    t.match(problemOf(await call(method, path, body)), { status: 400, code }, `${method} ${path}`)
  }
  t.equal((await own('')).length, 3, 'nothing was deleted')
  const gone = await call('DELETE', `?standard_id=${id}`)
  t.same([gone.statusCode, gone.headers['content-location']], [204, `/pse/standards/${id}`])
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    t.equal((await call(method, '/nothing', method === 'PUT' ? input('x') : undefined)).statusCode, 404)
  }
})

t.test('invalid standards are refused with a code and a pointer, and nothing is written', async (t) => {
  const before = (await call('GET', '')).json().items.length
  const cases: [object, number, string, string][] = [
    [{ kind: 'ruleset' }, 400, 'invalid_request', '/title'],
    [input('x', { key: 'a b' }), 400, 'invalid_request', '/key'],
    [input('x', { key: missing }), 400, 'invalid_request', '/key'],
    [input('x', { nonsense: 1 }), 400, 'unknown_field', '/nonsense'],
    [input('x', { rules: [rule('a', { target: '$..*' })] }), 400, 'invalid_request', '/rules/0/target'],
    [input('x', { rules: [rule('a', { check: { fn: 'eval', options: {} } })] }), 400, 'invalid_request',
      '/rules/0/check/fn'],
    [input('x', { rules: [rule('a'), rule('a')] }), 422, 'rule_invalid', '/rules/1/rule_id'],
    ...['(', '(?=x)x', '(a)\\1', '((((a{100}){100}){100}){100})'].map((pattern): [object, number, string, string] =>
      [input('x', { rules: [rule('a', { check: { fn: 'forbid', options: { patterns: ['ok', pattern] } } })] }), 422,
        'rule_invalid', '/rules/0/check/options/patterns/1']),
    [input('x', { rules: [rule('a', { target: 'sections.goals', check: { fn: 'ears', options: {} } })] }), 422,
      'rule_invalid', '/rules/0/target'],
    [input('x', { rules: [rule('a', { check: { fn: 'length', options: { unit: 'words' } } })] }), 422,
      'rule_invalid', '/rules/0/check/options'],
    [input('x', { rules: [rule('a', { check: { fn: 'review', options: { question: 'Is it good?' } } })] }), 422,
      'rule_invalid', '/rules/0/severity'],
    [input('x', { extends: [{ standard: 'nothing' }] }), 422, 'rule_invalid', '/extends/0/standard'],
    [input('x', { overrides: [{ rule_id: 'nothing', severity: 'off' }] }), 422, 'rule_invalid', '/overrides/0/rule_id']
  ]
  for (const [body, status, code, pointer] of cases) {
    const problem = problemOf(await call('POST', '', body))
    t.match(problem, { status, code, errors: [{ pointer }] }, `${code} ${pointer}`)
  }
  const { standard_id: id, ...rest } = await make('Fixed')
  t.match(problemOf(await call('PUT', `/${id}`, { ...rest, version: 7, key: 'loose' })), {
    status: 422, code: 'read_only_field', errors: [{ pointer: '/key' }, { pointer: '/version' }]
  })
  t.match(problemOf(await call('POST', '', input('Again', { key: rest.key }))), { status: 409, code: 'key_taken' })
  t.equal((await call('GET', '')).json().items.length, before + 1)
})

t.test('a standard inherits rules and can override their severities', async (t) => {
  const base = await make('Base', { rules: [rule('one'), rule('two'), rule('three', { severity: 'warn' })] })
  const child = await make('Child', {
    extends: [{ standard: 'base' }],
    rules: [rule('two', { title: 'Mine' }), rule('four')],
    overrides: [{ rule_id: 'one', severity: 'off' }, { rule_id: 'three', severity: 'info' }]
  })
  const resolve = (version: number) => resolveStandards(app.db, app.home.workspace_id,
    [{ standard_id: child.standard_id, version }])
  const seen = async (version: number) => (await resolve(version))[0]?.rules
    .map(({ rule_id: id, severity, title }) => [id, severity, title])
  t.same(await seen(1), [['one', 'off', 'No cats'], ['two', 'error', 'Mine'], ['three', 'info', 'No cats'],
    ['four', 'error', 'No cats']])
  t.equal((await call('PUT', '/base', input('Base', { rules: [rule('two')] }))).statusCode, 200)
  t.same(await seen(1), [['two', 'error', 'Mine'], ['four', 'error', 'No cats']], 'inherits from the newest')
  const pinned = input('Child', { extends: [{ standard: 'base', version: 1 }] })
  t.equal((await call('PUT', '/child', pinned)).statusCode, 200)
  t.same((await seen(2))?.map(([id]) => id), ['one', 'two', 'three', 'no-cats'], 'a pinned version stays')

  const circle = await call('PUT', '/base', input('Base', { extends: [{ standard: 'child' }] }))
  t.match(problemOf(circle), { status: 422, code: 'rule_invalid', errors: [{ pointer: '/extends/0/standard' }] })
  t.match(problemOf(await call('PUT', '/base', input('Base', { extends: [{ standard: base.standard_id }] }))),
    { code: 'rule_invalid' }, 'a standard cannot extend itself')
  const ends = await Promise.all([['left', 'right'], ['right', 'left']].map(([key]) => make(`End ${key}`, { key })))
  t.equal(ends.length, 2)
  const circular = await Promise.all([['left', 'right'], ['right', 'left']].map(([key, standard]) =>
    call('PUT', `/${key}`, input('x', { extends: [{ standard }] }))))
  t.same(circular.map(({ statusCode }) => statusCode).sort(), [200, 422], 'of two that close a cycle, one')
})

t.test('A7: of concurrent changes of one revision one wins, and the others get stale_revision', async (t) => {
  await make('Racer')
  const answers = await Promise.all(['a', 'b', 'c'].map((title) =>
    call('PUT', '/racer', input(title), { 'if-match': '"r1"' })))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 412, 412])
})

t.test('members write standards of projects, only admins those of the workspace', async (t) => {
  const { headers: member } = await makePerson(app, 'Mona', 'member')
  const { headers: viewer } = await makePerson(app, 'Vera', 'viewer')
  const mine = input('Mine', { scope: { project_ids: [missing], spec_types: [] } })
  t.match(problemOf(await call('POST', '', input('All'), member)), { status: 403, code: 'insufficient_role' })
  t.equal((await call('POST', '', mine, viewer)).statusCode, 403)
  t.equal((await call('POST', '', mine, member)).statusCode, 201)
  t.equal((await call('PUT', '/mine', input('Mine'), member)).statusCode, 403, 'widening its scope')
  t.equal((await call('DELETE', '/mine', undefined, member)).statusCode, 403)
  t.equal((await call('GET', '/mine', undefined, viewer)).statusCode, 200)
})

t.test('a session may attach only existing standards and versions', async (t) => {
  const { standard_id } = await make('Attached')
  const post = (standards: object[]) => app.inject({
    method: 'POST', url: '/pse/sessions', headers: asAdmin, payload: { title: 'x', standards }
  })
  t.equal((await post([{ standard_id, version: null }])).statusCode, 201)
  for (const wrong of [{ standard_id: missing, version: 1 }, { standard_id, version: 2 }]) {
    t.match(problemOf(await post([{ standard_id, version: 1 }, wrong])),
      { status: 422, code: 'standard_unknown', errors: [{ pointer: '/standards/1/standard_id' }] })
  }
})
