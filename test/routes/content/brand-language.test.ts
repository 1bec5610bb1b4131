import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeBrief, makeContent, makeProject, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, json, put } = actor(app)

interface Found {
  rule_id: string,
  match: string,
  suggestions: string[],
  fixable: boolean,
  waived: boolean,
  waived_because?: string
}

const checker = async (name: string, brand: object) => {
  const project = await makeProject(app, name)
  await setBrand(app, project, brand)
  const check = async (body_markdown: string, more: object = {}) => {
    const answer = await post('/checks', {
      project_id: project,
      channel: 'blog',
      title: 'Text',
      body_markdown,
      ...more
    })
    if (answer.statusCode !== 200) throw new Error(answer.payload)
    return answer.json()
  }
  const rules = async (text: string, more: object = {}): Promise<string[]> => (await check(text, more)).findings
    .map(({ rule_id: rule, match, suggestions: [use], fixable }: Found) =>
      `${rule} ${match}${use === undefined ? '' : ` > ${use}`}${fixable ? ' +' : ''}`.trim())
  return { project, check, rules }
}

t.test('avoided and preferred words are found in their inflections, and replaced in the same form', async (t) => {
  const { project, rules } = await checker('Forms', {
    terms: {
      banned: [
        { term: 'leverage', replacement: 'use' }, { term: 'obtain', replacement: 'get' },
        { term: 'minion', match: 'exact', replacement: 'worker' },
        { term: 'IT', case_sensitive: true }, { term: 'analysis', replacement: 'study' }
      ],
      preferred: [
        { use: 'sign in', instead_of: ['log in'] }, { use: 'client', instead_of: ['customer'] },
        { use: 'Mac', instead_of: ['Apple'], case_sensitive: true }
      ]
    }
  })
  const cases: [string, string[]][] = [
    ['He leverages and leveraged it by leveraging.', ['CNT-BRD-BANNED leverages > uses +',
      'CNT-BRD-BANNED leveraged > used +', 'CNT-BRD-BANNED leveraging > using +']],
    ['They obtained it by obtaining more.', ['CNT-BRD-BANNED obtained > get', 'CNT-BRD-BANNED obtaining > getting +']],
    ['Two analyses.', ['CNT-BRD-BANNED analyses > studies +']],
    ['Two minions.', []],
    ['It is what IT does.', ['CNT-BRD-BANNED IT']],
    ['They logged in, and she logs\nin.', ['CNT-BRD-PREFERRED logged in > signed in +',
      'CNT-BRD-PREFERRED logs\nin > signs in +']],
    ['A customer\'s card and two customers.', ['CNT-BRD-PREFERRED customer > client +',
      'CNT-BRD-PREFERRED customers > clients +']],
    ['An apple, an Apple.', ['CNT-BRD-PREFERRED Apple > Mac +']],
    ['The leverageable and the leverages-only.', ['CNT-BRD-BANNED leverages > uses +']]
  ]
  for (const [text, expected] of cases) t.same(await rules(text), expected, text)
  const { id } = await makeContent(app, project, { body_markdown: 'Leveraging it, they logged in with customers.\n' })
  await post('/generate', { mode: 'repair', engine: 'template', content_id: id })
  t.equal((await json(`/${id}`)).body_markdown, 'Using it, they signed in with clients.\n')
})

t.test('German, French and Spanish words have the forms that are sure, and no repair of them', async (t) => {
  const { rules } = await checker('Languages', {
    terms: { banned: [{ term: 'nutzen', replacement: 'verwenden' }, { term: 'Kunde', replacement: 'Gast' }] },
    locales: { default: 'de', enabled: ['de', 'fr', 'es'] }
  })
  t.same(await rules('Wir nutzten es mit Kunden und nutzen es.'), ['CNT-BRD-BANNED nutzten > verwenden',
    'CNT-BRD-BANNED Kunden > Gast', 'CNT-BRD-BANNED nutzen > verwenden +'])
})

t.test('spelling is that of a dictionary, without a list of pairs', async (t) => {
  const british = await checker('British', { style: { spelling: 'en-GB' } })
  t.same(await british.rules('The gray theater of our neighbor has a catalog, molds and a plow.'), [
    'CNT-LOC-SPELLING gray > grey +', 'CNT-LOC-SPELLING theater > theatre +', 'CNT-LOC-SPELLING neighbor > neighbour +',
    'CNT-LOC-SPELLING catalog > catalogue +', 'CNT-LOC-SPELLING molds > moulds +', 'CNT-LOC-SPELLING plow > plough +'
  ])
  const american = await checker('American', { style: { spelling: 'en-US' } })
  t.same(await american.rules('We organise a programme and travelled, cancelled, analysed and apologised.'), [
    'CNT-LOC-SPELLING organise > organize +', 'CNT-LOC-SPELLING programme > program +',
    'CNT-LOC-SPELLING travelled > traveled +', 'CNT-LOC-SPELLING cancelled > canceled +',
    'CNT-LOC-SPELLING analysed > analyzed +', 'CNT-LOC-SPELLING apologised > apologized +'
  ])
  const any = await checker('Any', {})
  t.same(await any.rules('We organise and organize what we recieve seperately.'), [
    'CNT-LOC-MISSPELT recieve > receive', 'CNT-LOC-MISSPELT seperately > separately'
  ])
  t.same(await any.rules('The webhook of Kubernetes and the backend of Larkspur retry an idempotent endpoint.'), [],
    'words of the trade, names and words of words are no mistakes')
  t.same(await any.rules('We organise it.', { locale: 'en' }), [])
})

t.test('passives are seen by grammar: irregular ones, with adverbs, in questions; states are none', async (t) => {
  const { check } = await checker('Passives', { style: { max_passive_pct: 0 } })
  const passives = async (text: string) => (await check(text)).metrics.passive_pct
  const passive = ['The door was opened.', 'The files have been quickly deleted.', 'It is being watched.',
    'It got broken by a dog.',
    'Jobs are fetched.', 'Mistakes were made.', 'The bill must be paid.', 'The letter was not sent.']
  for (const one of passive) t.equal(await passives(one), 100, one)
  const active = ['The door was open.', 'She is interested in it.', 'We are married.', 'The house is located in Rome.',
    'They are going home.', 'He was reading.', 'You are welcome.', 'It is used to that.']
  for (const one of active) t.equal(await passives(one), 0, one)
  const { findings } = await check(passive.join(' '))
  t.equal(findings.filter(({ rule_id: rule }: Found) => rule === 'CNT-VOI-PASSIVE').length, 7, 'one is allowed')
})

t.test('actions in nouns, words of offices and of advertising are found, with the plain word', async (t) => {
  const { rules } = await checker('Plain', {})
  t.same(await rules('The activation of the reader is carried out by the clerk prior to opening.'),
    ['CNT-VOI-NOMINAL The activation of', 'CNT-VOI-WORDY prior to > before'])
  t.same(await rules('We utilised a cutting-edge reader in order to pay.'),
    ['CNT-VOI-HYPE cutting-edge', 'CNT-VOI-WORDY utilised > used', 'CNT-VOI-WORDY in order to > to'])
  t.same(await rules('The clerk activates the reader before opening.'), [])
})

t.test('headings are capitalised by level, the title too', async (t) => {
  const { rules } = await checker('Levels', {
    style: { heading_case: 'sentence', heading_case_by_level: { h1: 'title', h3: 'any' } }
  })
  const text = '## The Way We Work\n\nText.\n\n### The Way We Work\n\nText.\n'
  t.same(await rules(text, { title: 'The way we all work here' }),
    ['CNT-VOI-HEADING-CASE The Way We Work', 'CNT-VOI-HEADING-CASE The way we all work here'])
  t.same(await rules('Text.', { title: 'The Way We All Work' }), [])
})

t.test('readability is reported whatever the length', async (t) => {
  const { check } = await checker('Grade', { style: { max_grade: 6 } })
  const text = 'Notwithstanding considerable organisational difficulties, administrative representatives ' +
    'systematically reconsidered constitutional responsibilities, institutional opportunities, ' +
    'educational qualifications, ' +
    'international communications, environmental considerations and technological developments ' +
    'of neighbouring communities.'
  const { metrics, findings } = await check(text)
  t.ok(metrics.words < 100 && metrics.grade > 20, JSON.stringify(metrics))
  t.match(findings.find(({ rule_id: rule }: Found) => rule === 'CNT-VOI-GRADE'), { severity: 'warn', points: 15 })
})

t.test('an exception of the brand, or of a passage, lets a finding stand, with its reason', async (t) => {
  const exceptions = [{
    rule_id: 'CNT-VOI-HYPE',
    match: 'ecosystem',
    channels: ['blog'],
    reason: 'Our field is ecology'
  }]
  const { check } = await checker('Exceptions', { exceptions, terms: { banned: [{ term: 'serf' }] } })
  const shown = async (text: string, more: object = {}) => (await check(text, more)).findings.map(
    ({ match, waived, waived_because: why = '' }: Found) => `${match}: ${waived} ${why}`.trim())
  t.same(await shown('The ecosystem of a pond.'), ['ecosystem: true Our field is ecology'])
  t.same(await shown('The ecosystem of a pond.', { channel: 'docs' }), ['ecosystem: false'])
  const waivers = [{ rule_id: 'CNT-BRD-BANNED', passage: 'the 1833 act', reason: 'It is history' }]
  const text = 'In the 1833\nact, a serf is freed.\n\nThe serf process.\n'
  t.same(await shown(text, { waivers }), ['serf: true It is history', 'serf: false'])
  t.same(await shown(`New first paragraph.\n\n${text}`, { waivers }), ['serf: true It is history', 'serf: false'],
    'it holds where the passage moves')
  const points = (await check('The ecosystem of a pond.')).findings.map(({ points: lost }: { points: number }) => lost)
  t.same(points, [0], 'what is let stand costs nothing')
  const answer = await put(`/brands/${await makeProject(app, 'No reason')}`,
    { exceptions: [{ rule_id: 'CNT-VOI-HYPE' }] })
  t.equal(answer.statusCode, 400, 'an exception has a reason')
})

t.test('abbreviations that nobody explains are jargon for readers who do not know the trade', async (t) => {
  const audiences = [{ key: 'owners', name: 'Shop owners' }, { key: 'staff', name: 'Our staff', jargon: 'allow' }]
  const { project, rules } = await checker('Jargon', { audiences })
  const brief = async (audience_key: string) => ({ brief_id: (await makeBrief(app, project, { audience_key })).id })
  const text = 'The PSP keeps it. A chargeback request (CBR) is rare: a CBR costs you the API fee.'
  t.same(await rules(text, await brief('owners')), ['CNT-VOI-JARGON PSP'])
  t.same(await rules(text, await brief('staff')), [])
})

t.test('the title for search is in the template of the brand, and measured as it is shown', async (t) => {
  const { rules } = await checker('Template', { seo: { title_template: '{title} | Larkspur payments', title_max: 40 } })
  t.same(await rules('Text.', { title: 'Pay with one tap' }), [])
  t.same(await rules('Text.', { title: 'Pay with one tap and go home' }), ['CNT-SEO-LENGTH'])
})
