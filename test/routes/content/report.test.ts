import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeBrief, makeProject, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post } = actor(app)

const brand = {
  terms: {
    banned: [
      { term: 'leverage', replacement: 'use', reason: 'plain words' },
      { term: 'synerg\\w+', match: 'regex', severity: 'warn' },
      { term: 'game-changing', match: 'phrase', channels: ['social'] }
    ],
    required: [{ term: 'Larkspur', where: 'any' }],
    preferred: [{ use: 'sign in', instead_of: ['log in'] }],
    protected: ['Larkspur', 'Leverage Labs']
  },
  style: {
    heading_case: 'sentence',
    contractions: 'avoid',
    spelling: 'en-GB',
    max_exclamations: 0,
    emoji: 'none',
    max_sentence_words: 20,
    cliches: ['low-hanging fruit'],
    inclusive: 'warn',
    oxford_comma: 'require'
  },
  claims: {
    forbidden: ['guaranteed results'],
    disclaimers: [{ key: 'risk', text: 'Capital at risk.', required_on: ['email'] }]
  },
  allowed_link_hosts: ['docs.example.com']
}
const house = await makeProject(app, 'House style')
await setBrand(app, house, brand)

interface Found { rule_id: string, field: string, start: number, end: number, match: string, suggestions: string[] }

const check = async (body_markdown: string, more: object = {}) => {
  const text = { title: 'Larkspur', body_markdown, ...more }
  const answer = await post('/checks', { project_id: house, channel: 'blog', ...text })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json()
}
const rules = async (text: string, more: object = {}) =>
  (await check(text, more)).findings.map(({ rule_id: rule, match }: Found) => `${rule} ${match}`.trim())

t.test('every rule finds what it is for, where it stands', async (t) => {
  const text = 'We leverage this. Please log in.\n'
  const { findings } = await check(text)
  t.match(findings, [
    { rule_id: 'CNT-BRD-BANNED', severity: 'error', match: 'leverage', suggestions: ['use'], fixable: true },
    { rule_id: 'CNT-BRD-PREFERRED', severity: 'warn', match: 'log in', suggestions: ['sign in'] }
  ])
  for (const { start, end, match } of findings as Found[]) t.equal(text.slice(start, end), match)
  const cases: [string, string[], object?][] = [
    ['Full of synergies.', ['CNT-BRD-BANNED synergies']],
    ['It is game-changing.', ['CNT-VOI-HYPE game-changing']],
    ['We met LarkSpur.', ['CNT-BRD-CASING LarkSpur']],
    ['We met larkspur.', []],
    ['Leverage Labs is a name.', []],
    ['Text.', ['CNT-BRD-REQUIRED'], { title: 'Another title' }],
    ['It doesn\'t work.', ['CNT-VOI-CONTRACTIONS doesn\'t']],
    ['## The Way We All Work Together\n\nText.', ['CNT-VOI-HEADING-CASE The Way We All Work Together']],
    ['Great news!', ['CNT-VOI-EXCLAMATION !']],
    ['Well done 🎉.', ['CNT-VOI-EMOJI 🎉']],
    ['Pick the low-hanging fruit.', ['CNT-VOI-CLICHE low-hanging fruit']],
    ['The color is red.', ['CNT-LOC-SPELLING color']],
    ['Cards, cash and cheques.', ['CNT-VOI-OXFORD-COMMA Cards, cash and cheques']],
    ['We saw the the sign.', ['CNT-STR-REPEATED-WORD the the']],
    ['The chairman spoke.', ['CNT-INC-EQUALITY chairman']],
    ['We promise guaranteed results.', ['CNT-FCT-CLAIM guaranteed results']],
    ['See [this](https://evil.example.net/).', ['CNT-FCT-URL https://evil.example.net/']],
    ['See [this](https://docs.example.com/a).', []],
    ['See [this](javascript:x).', ['CNT-STR-LINK javascript:x']],
    ['# One\n\nText.\n\n# Two\n\nMore.', ['CNT-SEO-H1 #']],
    ['# One\n\nText.\n\n### Three\n\nMore.', ['CNT-STR-HEADING-JUMP ###']],
    ['Text.\n\n## Empty', ['CNT-STR-EMPTY-SECTION ##']],
    ['![](https://docs.example.com/a.png) Text.', ['CNT-CHN-ALT https://docs.example.com/a.png']],
    ['TODO', ['CNT-STR-PLACEHOLDER TODO']],
    ['Text.', ['CNT-SEO-LENGTH'], { seo: { title: 'Short' } }],
    ['Text.', ['CNT-SEO-KEYWORD'], { seo: { keywords: ['quince'] } }]
  ]
  for (const [source, expected, more] of cases) t.same(await rules(source, more), expected, source)
})

t.test('a canonical address is the brand\'s own, a text is in the language that its record says', async (t) => {
  const site = await makeProject(app, 'Site')
  await setBrand(app, site, {
    seo: { canonical_base: 'https://example.com/blog' }, locales: { default: 'en', enabled: ['en', 'de', 'ja'] }
  })
  const found = async (body_markdown: string, more: object = {}) => {
    const answer = await post('/checks', { project_id: site, channel: 'blog', title: 'Site', body_markdown, ...more })
    return answer.json().findings.map(({ rule_id: rule }: Found) => rule)
  }
  const at = (canonical: string) => found('Text.', { seo: { canonical } })
  t.same(await at('https://example.com/blog/one'), [])
  t.same(await at('https://example.com/blogs'), ['CNT-SEO-CANONICAL'])
  t.same(await at('https://example.org/blog/one'), ['CNT-SEO-CANONICAL'])

  const german = 'Die Kasse ist nicht mit dem Lager verbunden, und das Team wartet auf eine Lieferung von dort. ' +
    'Für die Kunden ist das nicht schlimm, denn sie zahlen mit der Karte und gehen. Das ist der Stand von heute.'
  t.same(await found(german), ['CNT-LOC-LANGUAGE'])
  t.same(await found(german, { locale: 'de' }), [])
  t.same(await found(german, { locale: 'ja' }), [], 'an unknown language gives no finding')
  t.same(await found(german.slice(0, 100)), [])
})

t.test('code, addresses, quotations and markup are not checked as prose', async (t) => {
  const text = '`leverage`\n\n```\nlog in to leverage\n```\n\n> We leverage this.\n\n' +
    '[text](https://docs.example.com/leverage) <!-- leverage --> https://docs.example.com/leverage\n'
  t.same(await rules(text), [])
})

t.test('channels have their limits', async (t) => {
  const social = (posts: string[]) =>
    rules('', { channel: 'social', network: 'bluesky', fields: { posts: posts.map((text) => ({ text })) } })
  t.same(await social(['a'.repeat(300)]), [])
  t.same(await social(['a'.repeat(301)]), ['CNT-CHN-LIMIT'])
  t.same(await social(['#a #b #c #d']), ['CNT-CHN-HASHTAGS'])
  t.same(await social([`${'é'.repeat(299)}e\u0301`]), [], 'a reader\'s characters count, not code units')
  t.same(await rules('Text. Capital at risk.', { channel: 'email', fields: { subject: 'Hello' } }), [])
  t.same(await rules('Text.', { channel: 'email', fields: {} }), ['CNT-CHN-SUBJECT', 'CNT-FCT-DISCLAIMER'])
})

t.test('numbers, quotes and addresses come from the brief', async (t) => {
  const { id } = await makeBrief(app, house)
  const grounded = (text: string) => rules(text, { brief_id: id })
  t.same(await grounded('A checkout took 21 seconds instead of 35. That is 40% less.'), [])
  t.same(await grounded('It is 41% faster.'), ['CNT-FCT-NUMBER 41%'])
  t.same(await grounded('It is 21% faster.'), ['CNT-FCT-NUMBER 21%'], 'of seconds no percentage is made')
  t.same(await grounded('It saves $40 and twelve hours.'), ['CNT-FCT-NUMBER $40', 'CNT-FCT-NUMBER twelve'])
  t.same(await grounded('They said: “The median checkout took 21 seconds.”'), [])
  t.same(await grounded('They said: “The best checkout we ever saw.”'),
    ['CNT-FCT-QUOTE “The best checkout we ever saw.”'])
  t.same(await grounded('[Study](https://example.com/study), [Try it](https://example.com/pay)'), [])
  t.same(await grounded('[Study](https://example.com/other)'), ['CNT-FCT-URL https://example.com/other'])
})

t.test('a source older than a year is reported, where the text may rest on it', async (t) => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const fact = (id: string, dated?: string) =>
    ({ id, text: 'Shops open at nine', source: { kind: 'text', ref: 'A study', ...(dated && { dated }) } })
  const facts = [fact('f1', daysAgo(367)), fact('f2', daysAgo(363)), fact('f3')]
  const { id } = await makeBrief(app, house, { facts })
  const { findings, verdict } = await check('Shops open early.', { brief_id: id })
  t.same(findings, [{
    rule_id: 'CNT-FCT-STALE',
    severity: 'warn',
    field: 'body_markdown',
    start: 0,
    end: 0,
    match: '',
    message: `The source of fact "f1" is of ${daysAgo(367)}, more than 365 days ago`,
    suggestions: [],
    fixable: false,
    waived: false,
    points: 4
  }])
  t.equal(verdict, 'pass_with_warnings')

  const cites = await makeBrief(app, house, { facts, points: [{ text: 'Shops open early', fact_ids: ['f2'] }] })
  const made = await post('/generate', { mode: 'create', brief_id: cites.id, engine: 'template' })
  const [{ checks, citations }] = made.json().contents
  t.same(citations.map(({ fact_id: cited }: { fact_id: string }) => cited), ['f2'])
  t.notMatch(JSON.stringify(checks.findings), 'CNT-FCT-STALE', 'facts that the text does not cite give no finding')
})

t.test('without the check of inclusive language, doubled words are found all the same', async (t) => {
  const off = await makeProject(app, 'Off')
  await setBrand(app, off, { style: { inclusive: 'off' } })
  const text = { project_id: off, channel: 'blog', title: 'Off', body_markdown: 'The chairman saw the the sign.' }
  const { findings } = (await post('/checks', text)).json()
  t.same(findings.map(({ rule_id: rule }: Found) => rule), ['CNT-STR-REPEATED-WORD'])
})

t.test('the same text gives the same report, with every point accounted for', async (t) => {
  const text = `${'Customers pay with one tap and go. '.repeat(50)}\n\nWe leverage this! Please log in.`
  const [one, two] = [await check(text), await check(text)]
  t.same(one, two)
  const lost = one.deductions.reduce((sum: number, { points }: { points: number }) => sum + points, 0)
  t.equal(one.score, Math.round(100 - lost))
  t.same(one.deductions.find(({ rule_id: rule }: Found) => rule === 'CNT-BRD-BANNED'),
    { rule_id: 'CNT-BRD-BANNED', count: 1, points: Math.round(10 * 300 / one.metrics.words * 100) / 100 })
  t.match(one, { verdict: 'fail', brand_version: 1, linter_version: 9 })
  t.same([one.metrics.sentences, one.metrics.passive_pct], [52, 0])
  t.ok(one.metrics.grade > 0 && one.metrics.grade < 6)
})
