import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor as codehostActor, makeConnected, steer } from '../codehost/actors.js'
import { actor, makeOpenProject, makeProject, missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post } = actor(app)
const project = await makeProject(app, 'Releases')

const release = (payload: object = {}) => post('/briefs/releases', { project_id: project, repo_id: '7001', ...payload })
interface Commit { sha: string, headline: string }
const commits: Commit[] = (await codehostActor(app).json('/repos/7001/commits?limit=100')).items
const shaOf = (headline: string) => commits.find((one) => one.headline === headline)?.sha ?? ''
const base = shaOf('Fix a leak in the image cache')

t.test('what was merged since a ref becomes a brief, grouped and linked, and release notes', async (t) => {
  const merge = { login: 'octavia', repository: 'larkspur/web', number: 3, to: 'merged' }
  await steer(app).call('PATCH', '/pulls', merge)
  const answer = await release({ base })
  t.equal(answer.statusCode, 201, answer.payload)
  const brief = answer.json()
  const host = `${app.sandbox.codehost}/larkspur/web`
  const idOf = (headline: string) => `c-${shaOf(headline).slice(0, 10)}`
  t.match(brief, {
    title: `What is new since ${base.slice(0, 7)}`,
    key_message: `6 changes since ${base.slice(0, 7)}`,
    channels: [{ channel: 'release_notes' }],
    points: [
      { text: 'Added', fact_ids: ['pr-3'] },
      {
        text: 'Fixed',
        fact_ids: ['pr-1', idOf('Fix memory use of the search page')]
      },
      { text: 'Removed', fact_ids: [idOf('Drop support for Internet Explorer')] },
      { text: 'Other changes', fact_ids: [idOf('Show the delivery date'), idOf('Send cache headers')] }
    ]
  })
  t.match(brief.facts[0],
    { id: 'pr-3', text: 'Show stock on the product page', source: { kind: 'url', ref: `${host}/pull/3` } })

  const made = await post('/generate', { mode: 'create', brief_id: brief.id, engine: 'template' })
  const [{ body_markdown: text, checks }] = made.json().contents
  const link = (headline: string) =>
    `- ${headline} ([${shaOf(headline).slice(0, 7)}](${host}/commit/${shaOf(headline)}))`
  t.equal(text, `[[WRITE]]

## Added

- Show stock on the product page ([#3](${host}/pull/3))

## Fixed

- Fix the delivery date over New Year ([#1](${host}/pull/1))
${link('Fix memory use of the search page')}

## Removed

${link('Drop support for Internet Explorer')}

## Other changes

${link('Show the delivery date')}
${link('Send cache headers')}
`)
  t.notMatch(JSON.stringify(checks.findings), /CNT-FCT/, 'every number and link is of the brief')
})

t.test('a range between two refs; an empty one is no release', async (t) => {
  const two = await release({ base, head: shaOf('Show the delivery date'), title: 'One week' })
  t.match(two.json(), { title: 'One week', points: [{ text: 'Other changes', fact_ids: { length: 2 } }] })
  const none = await release({ base, head: base })
  t.match([none.statusCode, none.json().code], [422, 'nothing_released'])
})

t.test('foreign projects and repositories stay unknown; a person reads with their own access', async (t) => {
  t.match((await release({ base, project_id: missing })).statusCode, 404)
  t.match((await release({ base, repo_id: '9999999' })).json(), { code: 'repo_not_found' })
  const bruno = await makeConnected(app, 'bruno', 'member')
  const answer = await actor(app, bruno.headers).post('/briefs/releases', {
    project_id: project,
    repo_id: '7001',
    base
  })
  t.equal(answer.statusCode, 201, answer.payload)
})

t.test('each channel has a form of its own, and marks what the brief does not have', async (t) => {
  const channels = ['blog', 'docs', 'landing', 'release_notes', 'email'].map((channel) => ({ channel }))
  const brief = {
    title: 'Pay with one tap',
    key_message: 'One tap is enough',
    points: [{ text: 'Checkouts are faster', fact_ids: ['f1'] }, { text: 'Nothing is installed' },
      { text: 'Breaking changes', fact_ids: ['f2'] }],
    facts: [
      { id: 'f1', text: 'A checkout takes 21 seconds', source: { kind: 'url', ref: 'https://example.com/study' } },
      { id: 'f2', text: 'The *old* reader [stops](x)', source: { kind: 'text', ref: 'notes' } }
    ],
    channels: [...channels, { channel: 'social', network: 'mastodon' }]
  }
  const made = await post('/generate', { mode: 'create', engine: 'template', project_id: project, brief })
  t.equal(made.statusCode, 200, made.payload)
  interface Made { id: string, channel: string, body_markdown: string, fields: { posts?: { text: string }[] } }
  const contents: Made[] = made.json().contents
  const textOf = (channel: string) => contents.find((one) => one.channel === channel)?.body_markdown ?? ''
  t.equal(textOf('docs'), `[[WRITE]]

## Before you begin

[[WRITE]]

## Checkouts are faster

- A checkout takes 21 seconds[^f1]

[[WRITE]]

## Nothing is installed

[[WRITE]]

## Breaking changes

- The \\*old\\* reader \\[stops\\](x)[^f2]

[[WRITE]]

## Next steps

[[WRITE]]

[^f1]: <https://example.com/study>

[^f2]: notes
`)
  t.equal(textOf('landing').split('\n\n[^f1]')[0], `[[WRITE]]

## What you get

- **Checkouts are faster** [[WRITE]]
  - A checkout takes 21 seconds[^f1]

- **Nothing is installed** [[WRITE]]

- **Breaking changes** [[WRITE]]
  - The \\*old\\* reader \\[stops\\](x)[^f2]

## Who it is for

[[WRITE]]`)
  t.match(textOf('release_notes'), /## Breaking changes\n\n- The \\\*old\\\* reader \\\[stops\\\]\(x\)\n/)
  t.equal(textOf('email'), '[[WRITE]]\n\n- A checkout takes 21 seconds\n- The \\*old\\* reader \\[stops\\](x)\n\n[[WRITE]]\n')
  t.same(contents.find(({ channel }) => channel === 'social')?.fields.posts?.map(({ text }) => text),
    ['[[WRITE]]\nA checkout takes 21 seconds\nThe *old* reader [stops](x)'])
  t.equal(new Set(contents.map(({ body_markdown: text }) => text)).size, 6, 'no two are the same')
  for (const { id, channel } of contents) {
    const answer = await post(`/${id}/transitions`, { to: 'in_review' })
    t.equal(answer.statusCode, 409, channel)
    t.match(answer.json(), { code: 'content_incomplete', marks: [{ match: '[[WRITE]]' }] }, channel)
  }
})

t.test('an outline has the headings of its language, and none in another one', async (t) => {
  const locales = { default: 'de', enabled: ['de', 'fr', 'es', 'nl'] }
  const house = await makeOpenProject(app, 'Languages', { locales })
  const brief = {
    title: 'Zahlen',
    key_message: 'Ein Tipp genügt',
    points: [{ text: 'Schneller', fact_ids: ['f1'] }],
    facts: [{ id: 'f1', text: 'Ein Kauf dauert 21 Sekunden', source: { kind: 'text', ref: 'Studie' } }],
    channels: [{ channel: 'docs' }, { channel: 'landing' }]
  }
  const headingsOf = async (locale: string) => {
    const made = await post('/generate', { mode: 'create', engine: 'template', project_id: house, brief: { ...brief, locales: [locale] } })
    t.equal(made.statusCode, 200, made.payload)
    return made.json().contents.map(({ body_markdown: text }: { body_markdown: string }) => text.match(/^## .*$/gm))
  }
  t.same(await headingsOf('de'), [['## Voraussetzungen', '## Schneller', '## Nächste Schritte'],
    ['## Was Sie davon haben', '## Für wen es ist']])
  t.same(await headingsOf('fr'), [['## Avant de commencer', '## Schneller', '## Étapes suivantes'],
    ['## Vos avantages', '## À qui cela s’adresse']])
  t.same(await headingsOf('nl'), [['## Schneller'], null], 'a language without headings has none of another')
})
