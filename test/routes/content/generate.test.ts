import t from '../../tap.js'
import { makePerson } from '../account/actors.js'
import { workspace } from '../../app.js'
import { actor, makeBrief, makeContent, makeOpenProject, makeProject, missing, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, json } = actor(app)
const project = await makeOpenProject(app, 'Generated', { locales: { default: 'en', enabled: ['en', 'de'] } })

t.test('(1) a brief becomes one draft a channel, twice the same bytes', async (t) => {
  const channels = [{ channel: 'blog' }, { channel: 'email' }, { channel: 'social', network: 'bluesky' }]
  const brief = await makeBrief(app, project, { channels })
  const dry = await post('/generate', { brief_id: brief.id, dry_run: true })
  t.same((await post('/generate', { brief_id: brief.id, dry_run: true })).json(), dry.json())
  t.equal((await json(`/?brief_id=${brief.id}`)).items.length, 0)
  t.equal((await json(`/briefs/${brief.id}`)).status, 'draft')

  const answer = await post('/generate', { brief_id: brief.id })
  const { contents, generation, ...header } = answer.json()
  t.equal(answer.statusCode, 200)
  t.same(header, {
    mode: 'create',
    engine: 'template',
    engine_version: 3,
    is_prose_generated: false,
    banner: 'An outline: the facts of the brief in order. No language model wrote anything; [[WRITE]] is where you do.',
    dry_run: false,
    fixed: 0
  })
  const [blog, email, social] = contents
  t.match(generation, { status: 'succeeded', engine: 'template', budget: null, steps: [] })
  t.same(generation.outputs.map((one: { content_id: string, status: string }) => [one.content_id, one.status]),
    contents.map(({ id }: { id: string }) => [id, 'done']))
  t.equal(blog.body_markdown, `[[WRITE]]

## Returning customers pay with one tap

- A checkout took 21 seconds instead of 35 in our March study[^f1]

[[WRITE]]

## Nothing has to be installed

[[WRITE]]

[Try it](https://example.com/pay)

[^f1]: “The median checkout took 21 seconds.” <https://example.com/study>
`)
  t.same(blog.citations, [{ fact_id: 'f1', quote: 'The median checkout took 21 seconds.' }])
  t.same(blog.checks.findings.map(({ rule_id: rule }: { rule_id: string }) => rule),
    [...Array(3).fill('CNT-STR-PLACEHOLDER'), 'CNT-SEO-LENGTH'])
  t.match(email, { fields: { subject: 'Faster checkouts with one-tap pay' }, checks: { verdict: 'fail' } })
  t.same(social.fields.posts, [{
    text: '[[WRITE]]\nA checkout took 21 seconds instead of 35 in our March study\nhttps://example.com/pay'
  }])
  t.equal((await json(`/briefs/${brief.id}`)).status, 'in_use')
  const { items } = await json(`/?brief_id=${brief.id}`)
  t.same(items.map(({ engine, group_id }: { engine: string, group_id: string }) => [engine, group_id]),
    Array(3).fill(['template', contents[0].id]))
  t.match(await json(`/${blog.id}/versions`), { items: [{ origin: 'generated', version: 1 }] })
  t.match((await post(`/${blog.id}/transitions`, { to: 'in_review' })).json(), { code: 'content_incomplete' })
})

t.test('a post that does not fit becomes several, each within the limit', async (t) => {
  const text = 'A fact that says a good deal about a checkout and goes on to say some more of it'
  const facts = Array.from({ length: 8 }, (_, index) =>
    ({ id: `f${index}`, text: `${text}, as we saw`, source: { kind: 'text', ref: 'notes' } }))
  const points = [{ text: 'All of it', fact_ids: facts.map(({ id }) => id) }]
  const brief = await makeBrief(app, project, { facts, points, channels: [{ channel: 'social', network: 'x' }] })
  const [{ fields, checks }] = (await post('/generate', { brief_id: brief.id })).json().contents
  t.ok(fields.posts.length > 2)
  t.same(fields.posts.filter((post: { text: string }) => post.text.length > 280), [])
  t.same(checks.findings.map(({ rule_id: rule }: { rule_id: string }) => rule), ['CNT-STR-PLACEHOLDER'], 'only what is to be written')
})

t.test('repair puts right what has one right form, as a draft', async (t) => {
  const house = await makeProject(app, 'Repair')
  await setBrand(app, house, {
    terms: {
      banned: [{ term: 'leverage', replacement: 'use' }],
      preferred: [{ use: 'sign in', instead_of: ['log in'] }, { use: 'Larkspur', instead_of: ['larkspur'] }],
      protected: ['Larkspur']
    }
  })
  const body_markdown = 'Leverage `leverage` and the the list. You leverage it, then log in at larkspur.\n'
  const { id } = await makeContent(app, house, { body_markdown })
  const repaired = (await post('/generate', { mode: 'repair', content_id: id })).json()
  t.equal(repaired.fixed, 5)
  t.match(await json(`/${id}`), {
    version: 2,
    status: 'draft',
    body_markdown: 'Use `leverage` and the list. You use it, then sign in at Larkspur.\n',
    checks: { score: 100, verdict: 'pass' }
  })
  const again = await post('/generate', { mode: 'repair', content_id: id })
  t.match(again.json(), { fixed: 0, contents: [{ version: 2 }] })
  const checked = await post('/generate', { mode: 'check', content_id: id })
  t.match(checked.json(), { contents: [{ checks: { score: 100 } }] })
})

t.test('what cannot be made is refused, and nothing is written', async (t) => {
  const brief = await makeBrief(app, project)
  const before = (await json('/?limit=100')).items.length
  const cases: [object, number, string][] = [
    [{}, 400, 'invalid_request'],
    [{ brief_id: missing }, 404, 'brief_not_found'],
    [{ mode: 'repair' }, 400, 'invalid_request'],
    [{ mode: 'repair', content_id: missing }, 404, 'not_found'],
    [{ brief_id: brief.id, engine: 'other' }, 400, 'invalid_request'],
    [{ brief_id: brief.id, engine: 'template', variants: 2 }, 400, 'invalid_request'],
    [{ brief_id: brief.id, engine: 'template', locales: ['en', 'de'] }, 400, 'invalid_request'],
    [{ brief_id: brief.id, engine: 'template', model: 'claude-opus-5' }, 422, 'model_not_used'],
    [{ mode: 'rewrite', content_id: missing, engine: 'template' }, 400, 'invalid_request'],
    [{ brief_id: brief.id, locale: 'fr' }, 422, 'locale_not_enabled'],
    [{ brief_id: brief.id, channels: [{ channel: 'social' }] }, 400, 'invalid_request'],
    [{ brief_id: brief.id, channels: [{ channel: 'blog' }, { channel: 'blog' }] }, 400, 'invalid_request']
  ]
  for (const [payload, status, code] of cases) {
    t.match((await post('/generate', payload)).json(), { status, code }, JSON.stringify(payload))
  }
  const viewer = actor(app, (await makePerson(app, 'Gen Viewer', 'viewer')).headers)
  t.match((await viewer.post('/generate', { brief_id: brief.id })).json(), { code: 'insufficient_role' })
  await post(`/briefs/${brief.id}/transitions`, { to: 'archived' })
  t.match((await post('/generate', { brief_id: brief.id })).json(), { status: 409, code: 'brief_state' })
  t.equal((await json('/?limit=100')).items.length, before)
})
