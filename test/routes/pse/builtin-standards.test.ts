import t from '../../tap.js'
import { findWrongRules } from '../../../routes/pse/lib/standards/change-standard.js'
import { builtins } from '../../../routes/pse/lib/standards/builtin.js'
import { compileJson } from '../../../lib/openapi/json-schemas.js'
import { StandardContent } from '../../../schemas/pse/standards.js'
import { asAdmin, workspace } from '../../app.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { get, post, json, remove } = actor(app)
const put = (path: string, payload: object) =>
  app.inject({ method: 'PUT', url: `/pse${path}`, headers: asAdmin, payload })

const keys = ['steward-operation', 'steward-plain-language', 'steward-ears']
interface Listed { key: string, source: string, standard_id: string }

t.test('lists show built-in standards last, also in pages; they are readable by id, key and version', async (t) => {
  const { standard_id: mine } = (await post('/standards', { title: 'Mine', kind: 'guideline' })).json()
  const { items } = await json('/standards')
  t.same(items.map(({ key }: Listed) => key), ['mine', ...keys])
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: Listed[], next_cursor: string | null } =
      await json(`/standards?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    paged.push(...page.items.map(({ key }) => key))
    cursor = page.next_cursor
  }
  t.same(paged, ['mine', ...keys])
  t.same((await json('/standards?kind=template')).items.map(({ key }: Listed) => key), ['steward-operation'])
  t.same((await json('/standards?status=archived')).items, [])
  for (const { key, source, standard_id: id } of items.slice(1)) {
    t.equal(source, 'builtin')
    const whole = await json(`/standards/${key}`)
    t.match(whole, { standard_id: id, key, version: 1, status: 'active', created_by: null, tags: ['builtin'] })
    t.same(await json(`/standards/${id}?version=1`), whole)
    t.match((await get(`/standards/${id}?version=2`)).json(), { status: 404, code: 'not_found' })
  }
  await remove(`/standards/${mine}`)
})

t.test('built-in standards are valid content', (t) => {
  const validate = compileJson(StandardContent)
  for (const { row, versions } of builtins) {
    for (const content of versions) {
      t.ok(validate(content), `${row.key}: ${JSON.stringify(validate.errors)}`)
      t.same(findWrongRules(content), [], row.key)
    }
  }
  t.end()
})

t.test('built-in standards are read-only', async (t) => {
  const before = await json('/standards/steward-ears')
  const answers = [
    await put('/standards/steward-ears', { title: 'Ours', kind: 'ruleset' }),
    await put('/standards?key=steward-ears', { title: 'Ours', kind: 'ruleset' }),
    await remove('/standards/steward-ears'),
    await remove(`/standards?standard_id=${before.standard_id}`)
  ]
  for (const answer of answers) t.match(answer.json(), { status: 403, code: 'builtin_standard' })
  t.match((await post('/standards', { title: 'X', kind: 'ruleset', key: 'steward-ears' })).json(),
    { status: 409, code: 'key_taken' })
  t.same(await json('/standards/steward-ears'), before)
})

t.test('a clone of a built-in standard belongs to the workspace', async (t) => {
  const { rules, body_markdown, ...original } = await json('/standards/steward-ears')
  const made = await post('/standards', { clone_of: 'steward-ears', key: 'our-ears', title: 'Our EARS' })
  t.equal(made.statusCode, 201, made.payload)
  t.match(made.json(), { key: 'our-ears', title: 'Our EARS', source: 'user', version: 1, kind: 'ruleset' })
  t.same([made.json().rules, made.json().body_markdown], [rules, body_markdown])
  t.equal((await put('/standards/our-ears', { title: 'Ours', kind: 'ruleset' })).statusCode, 200)
  t.match((await post('/standards', { clone_of: original.standard_id })).json(),
    { title: original.title, key: 'requirements-in-ears-each-one-verifiable' })
  t.match((await post('/standards', { clone_of: 'steward-nothing' })).json(), { status: 404, code: 'not_found' })
  t.match((await post('/standards', { clone_of: 'steward-ears', rules: [rules[0]] })).json(),
    { status: 400, code: 'invalid_request', errors: [{ pointer: '/rules', code: 'exclusive' }] })
  t.match((await post('/standards', { description: 'Nothing' })).json(),
    { status: 400, code: 'invalid_request', errors: [{ pointer: '/title' }, { pointer: '/kind' }] })
})

t.test('built-in standards can be attached, pinned, inherited and checked like any other', async (t) => {
  const standards = await Promise.all(keys.map(async (key) => (await json(`/standards/${key}`)).standard_id))
  const { path } = await makeSession(app, '# Rollout\n\nDoors come first.\n\n# Features\n\nDoors must be fast.',
    { standards: standards.map((standard_id) => ({ standard_id })) })
  const { spec } = await generate(app, path)
  const verdicts: { key: string, rule_id: string, version: number, verdict: string }[] = spec.checks.standards
  const known = new Map(verdicts.map(({ key, rule_id: id, verdict }) => [`${key}:${id}`, verdict]))
  t.match([known.get('steward-plain-language:vague'), known.get('steward-ears:criterion'),
    known.get('steward-ears:source')], ['fail', 'fail', 'pass'])
  t.ok(verdicts.every(({ version }) => version === 1))
  t.match(spec.document.sections.find(({ key }: { key: string }) => key === 'rollout'), { text: /come first/ })
  const child = { title: 'Child', kind: 'ruleset', extends: [{ standard: 'steward-ears' }] }
  const overrides = [{ rule_id: 'length', severity: 'off' }]
  t.equal((await post('/standards', { ...child, overrides })).statusCode, 201)
})
