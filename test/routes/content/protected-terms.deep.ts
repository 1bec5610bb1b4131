import t from '../../tap.js'
import { actor, makeContent, makeOpenProject } from './actors.js'
import { buildWithModel, modelActor, script } from './model.js'

const { app, model } = await buildWithModel(t)
const { post, json } = actor(app)
const { run } = modelActor(app)

const names = ['Go', 'Word', 'US', 'Yahoo!', 'Leverage Labs', 'Colour Studio', 'Duran Duran', 'Set\'em Up', 'npm',
  'GitHub']
const project = await makeOpenProject(app, 'Names', {
  terms: {
    protected: names,
    banned: [
      { term: 'leverage', replacement: 'use' }, { term: 'go', severity: 'warn' },
      { term: 'package tool', replacement: 'npm' },
      { term: 'go live', match: 'phrase', replacement: 'launch' }, { term: 'AI', replacement: 'AI assistant' },
      { term: 'ML', replacement: 'a model' }, { term: 'phone', replacement: 'iPhone' }
    ],
    preferred: [{ use: 'sign in to', instead_of: ['sign in'] }, { use: 'PostgreSQL', instead_of: ['Postgresql'] }]
  },
  style: { spelling: 'en-US', max_exclamations: 0, contractions: 'avoid', cliches: ['word'], person: 'third' },
  claims: { forbidden: ['leverage labs'] }
})

interface Found { rule_id: string, match: string, fixable: boolean }

const rules = async (body_markdown: string, where = project): Promise<string[]> => {
  const answer = await post('/checks', { project_id: where, channel: 'blog', title: 'Names', body_markdown })
  t.equal(answer.statusCode, 200, answer.payload)
  const { findings } = answer.json()
  return findings.map(({ rule_id: rule, match, fixable }: Found) => `${rule} ${match}${fixable ? ' +' : ''}`)
}

const repaired = async (title: string, body_markdown: string, where = project): Promise<string> => {
  const { id } = await makeContent(app, where, { title, body_markdown })
  await post('/generate', { mode: 'repair', engine: 'template', content_id: id })
  return (await json(`/${id}`)).body_markdown
}

t.test('a protected term is outside every rule; an ordinary word of its letters is not', async (t) => {
  const cases: [string, string[]][] = [
    ['The Go compiler ships in Word for the US market.', []],
    ['Leverage Labs and the Colour Studio play Duran Duran at Yahoo!', []],
    ['The **Leverage** Labs and the Leverage\nLabs.', []],
    ['Set\'em Up is a game.', []],
    ['Buyers go.', ['CNT-BRD-BANNED go']],
    ['A word is said.', ['CNT-VOI-CLICHE word']],
    ['They tell us.', ['CNT-VOI-PERSON us']],
    ['They leverage colour!', ['CNT-BRD-BANNED leverage +', 'CNT-VOI-EXCLAMATION !', 'CNT-LOC-SPELLING colour +']],
    ['Yahoo! is great!', ['CNT-VOI-EXCLAMATION !']],
    ['Here Go live is said.', ['CNT-BRD-BANNED Go live']]
  ]
  for (const [text, expected] of cases) t.same(await rules(text), expected, text)
})

t.test('only a spelling that no ordinary word has is taken for a misspelled name', async (t) => {
  for (const text of ['Github or GITHUB, the word, the WORD.', 'Buyers of NPM.']) {
    t.notMatch((await rules(text)).join(), /CASING/, text)
  }
  t.same(await rules('See GItHub.'), ['CNT-BRD-CASING GItHub +'])
})

t.test('repair never rewrites an ordinary word into a name, nor a name', async (t) => {
  const kept = 'How buyers go to market in a word, and tell the US of it: Go, Word and the Colour Studio by Leverage ' +
    'Labs. Go live with Duran Duran at the Tate Centre.\n'
  t.equal(await repaired('Kept', kept), kept)
})

t.test('a replacement is written as it is, with a capital only where a sentence begins', async (t) => {
  const text = 'Package tool first. Leverage it, and leverage ML or AI. ML is here. Phone us.\n'
  t.equal(await repaired('Capitals', text),
    'npm first. Use it, and use a model or AI assistant. A model is here. iPhone us.\n')
  const again = 'One may sign in to PostgreSQL with an AI assistant.\n'
  t.equal(await repaired('Again', again), again, 'a replacement that has the term in it is not replaced again')
  t.equal(await repaired('Other capitals', 'One uses Postgresql.\n'), 'One uses PostgreSQL.\n')
})

t.test('repair takes out no code, address or markup that stands between two words', async (t) => {
  const text = 'Send `GET` or `POST` or `PUT` and see https://docs.example.com/a see.\n\nIt is the **the sign**.\n'
  t.equal(await repaired('Between', text), text)
  t.same(await rules('Send `GET` or `POST` or `PUT`.'), [])
  t.same(await rules('It is the **the sign**.'), ['CNT-STR-REPEATED-WORD the **the'])
  t.equal(await repaired('Twice', 'It is the\nthe sign.\n'), 'It is the sign.\n')
})

t.test('a spelling that is right in another sense, or may be a name, is left to people', async (t) => {
  const british = await makeOpenProject(app, 'British', { style: { spelling: 'en-GB' } })
  const text = 'They license a computer program for the Lincoln Center, whose color is red.\n'
  t.equal(await repaired('British', text, british), text.replace('color', 'colour'))
  t.same(await rules(text, british), ['CNT-LOC-SPELLING color +'])
})

t.test('a required name is there only as it is written', async (t) => {
  const asked = await makeOpenProject(app, 'Asked', {
    terms: { protected: ['Go'], required: [{ term: 'Go', where: 'body' }, { term: 'Market', where: 'body' }] }
  })
  t.same(await rules('Buyers go to market.', asked), ['CNT-BRD-REQUIRED '])
  t.same(await rules('Buyers use Go on the market.', asked), [])
})

t.test('an answer of the model that loses a name is not taken', async (t) => {
  const body_markdown = '## Speed\n\nThe tool of the US leverage Word.\n'
  const { id } = await makeContent(app, project, { title: 'Lost', body_markdown })
  const answer = { items: [{ target: 'section:speed', text: '## Speed\n\nThe tool of America.' }] }
  script(model, 'Part: repair', answer)
  script(model, 'Part: repair', answer)
  const text = '## Speed\n\nThe tool of the US go with Word.\n'
  const { id: other } = await makeContent(app, project, { title: 'Lost too', body_markdown: text })
  await run({ mode: 'repair', content_id: other, preserve: 'none' })
  t.equal((await json(`/${other}`)).body_markdown, text)
  await run({ mode: 'repair', content_id: id, preserve: 'none' })
  t.equal((await json(`/${id}`)).body_markdown, body_markdown.replace('leverage', 'use'))
})

t.test('a translation keeps names, and need not keep the verb at the beginning of a sentence', async (t) => {
  const german = await makeOpenProject(app, 'German', {
    terms: { protected: ['Go'] }, locales: { default: 'en', enabled: ['en', 'de'] }
  })
  const translated = async (title: string, text: string, translation: string) => {
    const { id } = await makeContent(app, german, { title, body_markdown: `${text}\n` })
    script(model, '"target":"intro"', { items: [{ target: 'intro', text: translation }] })
    const { contents } = await run({ mode: 'translate', content_id: id, locales: ['de'] })
    return (await json(`/${contents[0].id}`)).body_markdown.trim()
  }
  t.equal(await translated('Verb', 'Go to the shop.', 'Geht in den Laden.'), 'Geht in den Laden.')
  t.equal(await translated('Name', 'It is made with Go.', 'Gemacht mit Go.'), 'Gemacht mit Go.')
  t.match(await translated('Lost name', 'It is made with Go.', 'Damit wird es gemacht.'), /\[\[WRITE/)
})
