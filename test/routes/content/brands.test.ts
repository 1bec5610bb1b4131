import t from '../../tap.js'
import { makePerson, makeToken } from '../account/actors.js'
import { asAdmin, workspace } from '../../app.js'
import { actor, makeProject, missing, secret, setBrand } from './actors.js'
import { proposer } from './plans.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, put, json } = actor(app)
const hook = { kind: 'webhook', name: 'Site', config: { url: 'https://hooks.example.com/in' }, secret }

t.test('a project has a brand of defaults until one is set', async (t) => {
  const project = await makeProject(app, 'Defaults')
  const answer = await get(`/brands/${project}`)
  const brand = answer.json()
  t.equal(answer.statusCode, 200)
  t.match(String(answer.headers.etag), /^"r0\.[\w-]{22}"$/)
  t.match(brand, {
    project_id: project,
    configured: false,
    version: 0,
    revision: 0,
    tone: { formality: 3, energy: 3, warmth: 3, confidence: 3, humor: 0 },
    terms: { banned: [], required: [], preferred: [], protected: [] },
    style: { spelling: 'any', max_sentence_words: 35, inclusive: 'suggest' },
    channels: { blog: { min_words: 0 }, social: { x: { enabled: true, max_hashtags: 3 } }, email: { subject_max: 60 } },
    seo: { title_min: 30, title_max: 60, description_min: 70, description_max: 160 },
    locales: { default: 'en', enabled: ['en'] },
    min_score: 80,
    approval: { required: true, self_approval: false, publishers: 'member' },
    publish_targets: [],
    updated_by: null,
    updated_at: null
  })
})

t.test('what was read may be sent back; every change is a version', async (t) => {
  const project = await makeProject(app, 'Versions')
  const defaults = await json(`/brands/${project}`)
  const first = await put(`/brands/${project}`, { ...defaults, name: 'Larkspur' }, { 'if-none-match': '*' })
  t.same([first.statusCode, first.headers.etag, first.json().configured], [201, '"r1"', true])
  const again = await put(`/brands/${project}`, first.json(), { 'if-match': '"r1"' })
  t.same([again.statusCode, again.headers.etag, again.json()], [200, '"r1"', first.json()])
  const second = await put(`/brands/${project}`, { ...first.json(), min_score: 90 }, { 'if-match': '"r1"' })
  t.same([second.statusCode, second.json().version, second.json().min_score], [200, 2, 90])
  const scoreOf = async (version: number) => (await json(`/brands/${project}?version=${version}`)).min_score
  t.same([await scoreOf(1), await scoreOf(2)], [80, 90])
  t.equal((await get(`/brands/${project}?version=3`)).statusCode, 404)
  const stale = await put(`/brands/${project}`, { min_score: 10 }, { 'if-match': '"r1"' })
  t.match(stale.json(), { status: 412, code: 'stale_revision', current: { revision: 2 } })
  t.equal(stale.headers.etag, '"r2"')
  t.match((await put(`/brands/${project}`, {}, { 'if-none-match': '*' })).json(), { status: 412 })
  t.match((await put(`/brands/${project}`, { version: 7 })).json(),
    { status: 422, code: 'read_only_field', errors: [{ pointer: '/version' }] })
})

t.test('of parallel changes of one revision one wins', async (t) => {
  const project = await makeProject(app, 'Race')
  const answers = await Promise.all([1, 2, 3, 4].map((min_score) =>
    put(`/brands/${project}`, { min_score }, { 'if-match': '"r0"' })))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 412, 412, 412])
})

t.test('secrets of targets go in and never come out', async (t) => {
  const project = await makeProject(app, 'Secrets')
  const brand = await setBrand(app, project, { publish_targets: [hook, { kind: 'feed', name: 'Feed' }] })
  t.match(brand.publish_targets, [
    { kind: 'webhook', secret_set: true, disabled_reason: null, channels: [], locales: [], enabled: true },
    { kind: 'feed', secret_set: false }
  ])
  t.notMatch(JSON.stringify(await json(`/brands/${project}`)), 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const stored = await app.db.selectFrom('content_brand').selectAll().where('project_id', '=', project).execute()
  t.notMatch(JSON.stringify(stored), 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')

  const kept = await put(`/brands/${project}`, { ...brand, name: 'Renamed' })
  t.match(kept.json().publish_targets[0], { target_id: brand.publish_targets[0].target_id, secret_set: true })
  const [first, second] = kept.json().publish_targets
  const targets = [{ ...first, secret: null }, second]
  const gone = await put(`/brands/${project}`, { ...kept.json(), publish_targets: targets })
  t.match(gone.json(), { status: 400, errors: [{ pointer: '/publish_targets/0/secret' }] })
})

t.test('bad input writes nothing and says where it is wrong', async (t) => {
  const project = await makeProject(app, 'Bad')
  const { secret: _, ...open } = hook
  const cases: [object, string, string][] = [
    [{ surprise: 1 }, 'unknown_field', '/surprise'],
    [{ tone: { formality: 6 } }, 'invalid_request', '/tone/formality'],
    [{ tone: { formality: '3' } }, 'invalid_request', '/tone/formality'],
    [{ min_score: 101 }, 'invalid_request', '/min_score'],
    [{ terms: { banned: [{ term: '(', match: 'regex' }] } }, 'invalid_request', '/terms/banned/0/term'],
    [{ terms: { banned: [{ term: 'x*', match: 'regex' }] } }, 'invalid_request', '/terms/banned/0/term'],
    [{ locales: { default: 'de', enabled: ['en'] } }, 'invalid_request', '/locales/enabled'],
    [{ locales: { default: 'english' } }, 'invalid_request', '/locales/default'],
    [{ audiences: [{ key: 'a', name: 'A' }, { key: 'a', name: 'B' }] }, 'invalid_request', '/audiences/1/key'],
    [{ publish_targets: [open] }, 'invalid_request', '/publish_targets/0/secret'],
    [{ publish_targets: [{ ...hook, secret: 'short' }] }, 'invalid_request', '/publish_targets/0/secret'],
    [{ publish_targets: [{ ...hook, config: {} }] }, 'invalid_request', '/publish_targets/0/config/url'],
    [{ publish_targets: [{ ...hook, config: { url: 'ftp://x' } }] }, 'invalid_request', '/publish_targets/0/config/url'],
    [{ publish_targets: [{ kind: 'git_pr', name: 'Git', config: {} }] }, 'invalid_request',
      '/publish_targets/0/config/repo_id'],
    [{ publish_targets: [{ kind: 'git_pr', name: 'Git', config: { repo_id: '1', path_template: 'a/{x}/{slug}.md' } }] },
      'invalid_request', '/publish_targets/0/config/path_template'],
    [{ publish_targets: [{ ...hook, target_id: missing }] }, 'invalid_request', '/publish_targets/0/target_id'],
    [{ publish_targets: [{ kind: 'feed', name: 'A' }, { kind: 'feed', name: 'B' }] }, 'invalid_request',
      '/publish_targets'],
    [{ name: 'a\0b' }, 'invalid_text', '/name']
  ]
  for (const [payload, code, pointer] of cases) {
    const answer = (await put(`/brands/${project}`, payload)).json()
    t.match(answer, { status: 400, code }, JSON.stringify(payload))
    t.ok(answer.errors.some((error: { pointer: string }) => error.pointer === pointer),
      `${pointer} in ${JSON.stringify(answer.errors)}`)
  }
  t.equal((await json(`/brands/${project}`)).configured, false)
})

t.test('roles, scopes, foreign and archived projects', async (t) => {
  const project = await makeProject(app, 'Roles')
  const member = await makePerson(app, 'Mem Brand', 'member')
  t.match((await actor(app, member.headers).put(`/brands/${project}`, {})).json(),
    { status: 403, code: 'insufficient_role' })
  t.equal((await actor(app, member.headers).get(`/brands/${project}`)).statusCode, 200)
  const reader = await makeToken(app, member.headers, ['content:read'])
  t.equal((await actor(app, reader.headers).get(`/brands/${project}`)).statusCode, 200)
  t.match((await actor(app, reader.headers).post('/briefs', {})).json(), { code: 'insufficient_scope' })
  t.equal((await actor(app, {}).get(`/brands/${project}`)).statusCode, 401)
  t.same([(await get(`/brands/${missing}`)).statusCode, (await put(`/brands/${missing}`, {})).statusCode], [404, 404])
  await app.inject({ method: 'POST', url: `/account/projects/${project}/archive`, headers: asAdmin })
  t.match((await put(`/brands/${project}`, {})).json(), { status: 409, code: 'project_archived' })
})

t.test('a replaced brand is shown setting by setting; what is left out gets its default', async (t) => {
  const project = await makeProject(app, 'Asked')
  await setBrand(app, project, { name: 'Larkspur', publish_targets: [{ kind: 'feed', name: 'Feed' }] })
  const { confirmation } = await proposer(app).ask('replaceBrand', { project_id: project, min_score: 70 })
  t.same([confirmation.summary, confirmation.arguments, confirmation.risk],
    ['Replace the brand settings of project Asked', { project_id: project, min_score: 70 }, 'high'])
  t.same(confirmation.preview, [
    { label: 'Version', before: '1', after: '2' },
    { label: 'name', before: 'Larkspur', after: '' },
    { label: 'min_score', before: '80', after: '70' },
    { label: 'Target Feed', before: '{kind: feed, name: Feed, enabled: true, channels: [], locales: []}', after: null }
  ])
})
