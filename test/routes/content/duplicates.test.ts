import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, put, json } = actor(app)
const feed = { kind: 'feed', name: 'Our feed', config: {} }
const project = await makeOpenProject(app, 'Duplicates', { publish_targets: [feed], min_score: 0 })

interface Finding { rule_id: string, message: string, match: string }

/** So many sentences, of which each is another. */
const sentences = (from: number, to: number): string => Array.from({ length: to - from }, (_, index) =>
  `Reader number ${from + index} opened the letter of day ${from + index} and wrote back.`).join(' ')

const check = async (body_markdown: string, where = project): Promise<Finding[]> =>
  (await post('/checks', { project_id: where, channel: 'blog', title: 'Draft', body_markdown })).json().findings
const similar = async (text: string, where?: string) =>
  (await check(text, where)).filter(({ rule_id: rule }) => rule === 'CNT-DUP-SIMILAR')

const makePublished = async (title: string, body_markdown: string): Promise<string> => {
  const { id } = await makeContent(app, project, { title, body_markdown })
  await approve(app, id)
  const answer = await post(`/${id}/publish`)
  if (answer.statusCode > 202) throw new Error(answer.payload)
  await app.jobs.drain()
  return id
}

t.test('a near copy of a published text is reported; drafts and other projects do not count', async (t) => {
  const text = sentences(0, 40)
  const { id } = await makeContent(app, project, { title: 'Letters', body_markdown: text })
  t.same(await similar(`${text} One more sentence stands here.`), [], 'a draft is nothing that readers know')
  await approve(app, id)
  await post(`/${id}/publish`)
  await app.jobs.drain()
  t.equal((await json(`/${id}`)).status, 'published')
  t.same(await similar(`${text} One more sentence stands here.`), [{
    rule_id: 'CNT-DUP-SIMILAR',
    severity: 'warn',
    field: 'body_markdown',
    start: 0,
    end: 0,
    match: id,
    message: '98 % the same as "Letters", which is published',
    suggestions: [],
    fixable: false,
    points: 2.47,
    waived: false
  }])
  t.equal((await similar(sentences(4, 40))).length, 1, 'nine tenths of it')
  t.same(await similar(sentences(20, 60)), [], 'a third of both is in both')
  t.same(await similar(text, await makeOpenProject(app, 'Another')), [], 'texts of another project are not compared')
  const edited = await put(`/${id}`, { title: 'Letters', body_markdown: `${text} Changed.` })
  t.notMatch(JSON.stringify(edited.json().checks.findings), 'CNT-DUP', 'a record is not compared with itself')
})

t.test('a text that is checked before it is saved is not compared with its own record', async (t) => {
  const text = sentences(300, 330)
  const id = await makePublished('Own', text)
  const record = { project_id: project, channel: 'blog', title: 'Own', slug: 'own', body_markdown: text }
  const rules = async (more: object) => (await post('/checks', { ...record, ...more })).json().findings
    .map(({ rule_id: rule }: Finding) => rule).filter((rule: string) => rule.startsWith('CNT-DUP')).sort()
  t.same(await rules({}), ['CNT-DUP-SIMILAR', 'CNT-DUP-SLUG', 'CNT-DUP-TEXT'])
  t.same(await rules({ content_id: id }), [])
})

t.test('markup, code and quotations do not make two texts alike, nor keep them apart', async (t) => {
  await makePublished('Marked', sentences(100, 130))
  const quoted = `> ${sentences(100, 130)}\n\nA comment of our own on what they said there.`
  t.same(await similar(quoted), [])
  t.equal((await similar(sentences(100, 130).replaceAll('letter', '**letter**'))).length, 1)
})

t.test('posts are compared as well', async (t) => {
  const social = { channel: 'social', network: 'bluesky', body_markdown: '' }
  const posts = (more: string) => ({ posts: [{ text: `${sentences(200, 203)}${more}` }] })
  const { id } = await makeContent(app, project, { ...social, title: 'Post', fields: posts('') })
  await approve(app, id)
  await post(`/${id}/publish`)
  await app.jobs.drain()
  const draft = { project_id: project, ...social, title: 'Draft', fields: posts(' Yes.') }
  const found = (await post('/checks', draft)).json().findings as Finding[]
  t.same(found.filter(({ rule_id: rule }) => rule.startsWith('CNT-DUP')).map(({ match }) => match), [id])
})

t.test('two publications to a target within an hour succeed with a warning', async (t) => {
  const house = await makeOpenProject(app, 'Hourly', { publish_targets: [feed] })
  const make = async (title: string) => {
    const { id } = await makeContent(app, house, { title, body_markdown: `${title} is here.` })
    await approve(app, id)
    return id
  }
  const publish = async (id: string, publish_at: string) =>
    (await post(`/${id}/publish`, { publish_at })).json().items[0]
  const [first, second, third] = [await make('First'), await make('Second'), await make('Third')]
  const day = `${new Date().getUTCFullYear() + 1}-03-10`
  t.same((await publish(first, `${day}T09:00:00Z`)).warnings, [])
  t.same((await publish(second, `${day}T09:59:00Z`)).warnings, [{
    rule_id: 'CNT-DUP-TARGET',
    content_id: first,
    message: `"First" goes to the same target within an hour: ${day}T09:00:00.000Z`
  }])
  t.same((await publish(third, `${day}T11:00:00Z`)).warnings, [], 'an hour and a minute later')
  const { items: [scheduled] } = await json(`/${second}/publications`)
  t.same((await json(`/${second}?include=publications,versions`)).publications, [scheduled])
  t.equal(scheduled.warnings.length, 1, 'it stays with the publication')
  await post(`/${first}/publications/${(await json(`/${first}/publications`)).items[0].id}/cancel`)
  await post(`/${second}/publications/${scheduled.id}/cancel`)
  t.same((await publish(second, `${day}T09:30:00Z`)).warnings, [], 'what is cancelled goes nowhere')
})
