import { strToU8, zipSync } from 'fflate'
import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, makeProject, missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, put, json, remove } = actor(app)

const rule = (name: string, ...lines: string[]) => ({ path: `House/${name}.yml`, content: `${lines.join('\n')}\n` })

const files = [
  rule('Weasel', 'extends: existence', 'message: "\'%s\' is a weasel word"', 'level: warning', 'ignorecase: true',
    'tokens:', '  - very', '  - quite a few'),
  rule('Terms', 'extends: substitution', 'message: "Use \'%s\' instead of \'%s\'"', 'level: error', 'ignorecase: true',
    'action:', '  name: replace', 'swap:', '  e-mail: email', '  (?:click|hit) on: select', '  tablet: tablet|slate'),
  rule('Long', 'extends: occurrence', 'message: "%s commas"', 'scope: sentence', 'token: ","', 'max: 2'),
  rule('Twice', 'extends: repetition', 'message: "\'%s\' twice"', 'level: error', 'alpha: true', 'tokens:',
    '  - "[^\\\\s]+"'),
  rule('Same', 'extends: consistency', 'message: "one spelling, not \'%s\'"', 'ignorecase: true', 'either:',
    '  advisor: adviser'),
  rule('Acronyms', 'extends: conditional', 'message: "\'%s\' has no definition"', 'first: \'\\b([A-Z]{3,5})\\b\'',
    'second: \'(?:\\b[A-Z][a-z]+ )+\\(([A-Z]{3,5})\\)\'', 'exceptions:', '  - HTML'),
  rule('Headings', 'extends: capitalization', 'message: "\'%s\' is no sentence"', 'scope: heading.h2',
    'match: $sentence', 'exceptions:', '  - Larkspur'),
  rule('Reading', 'extends: metric', 'message: "Grade %s"', 'formula: |',
    '  (0.39 * (words / sentences)) + (11.8 * (syllables / words)) - 15.59', 'condition: "> 14"'),
  rule('Raw', 'extends: existence', 'message: "\'%s\' has a space"', 'nonword: true', 'tokens:', '  - \'[a-z] ,\''),
  rule('Script', 'extends: script', 'message: "x"', 'script: "matches := []"'),
  rule('Ahead', 'extends: existence', 'message: "x"', 'tokens:', '  - \'foo(?=bar)\''),
  rule('Some', 'extends: existence', 'message: "no \'%s\'"', 'tokens:', '  - \'foo(?!bar)\'', '  - quux'),
  rule('Code', 'extends: existence', 'message: "x"', 'scope: raw', 'tokens:', '  - y'),
  { path: 'House/meta.json', content: '{}' }
]

const makeStyle = async (name: string, input: object = { files }) => {
  const project = await makeProject(app, name)
  const answer = await put(`/brands/${project}/styles/House`, input)
  return { project, answer }
}

interface Found {
  rule_id: string,
  severity: string,
  match: string,
  message: string,
  suggestions: string[],
  fixable: boolean,
  start: number,
  end: number
}

t.test('the rules of a Vale style are read as they are, and refused ones say why', async (t) => {
  const { project, answer } = await makeStyle('Read')
  t.equal(answer.statusCode, 201, answer.payload)
  const style = answer.json()
  t.same(style.rules.map(({ rule_id: id, kind, severity }: { rule_id: string, kind: string, severity: string }) => [id,
    kind, severity]), [
    ['VALE-House.Weasel', 'existence', 'warn'], ['VALE-House.Terms', 'substitution', 'error'],
    ['VALE-House.Long', 'occurrence', 'suggestion'], ['VALE-House.Twice', 'repetition', 'error'],
    ['VALE-House.Same', 'consistency', 'suggestion'], ['VALE-House.Acronyms', 'conditional', 'suggestion'],
    ['VALE-House.Headings', 'capitalization', 'suggestion'], ['VALE-House.Reading', 'metric', 'suggestion'],
    ['VALE-House.Raw', 'existence', 'suggestion'], ['VALE-House.Some', 'existence', 'suggestion']
  ])
  t.same(style.refused, [
    { rule: 'Script', file: 'House/Script.yml', reason: 'script runs a program: no code of a style is run' },
    {
      rule: 'Ahead',
      file: 'House/Ahead.yml',
      reason: 'the expression foo(?=bar) looks ahead or behind, which an engine without backtracking cannot'
    },
    {
      rule: 'Some',
      file: 'House/Some.yml',
      reason: 'the expression foo(?!bar) looks ahead or behind, which an engine without backtracking cannot: ' +
        'the others of the rule apply'
    },
    { rule: 'Code', file: 'House/Code.yml', reason: 'the scope "raw" is no prose that a brand report reads' }
  ])
  t.same((await json(`/brands/${project}/styles`)).items, [style])
})

t.test('its rules find what Vale finds, where it stands in the Markdown', async (t) => {
  const { project } = await makeStyle('Found')
  const found = async (text: string): Promise<Found[]> => {
    const answer = await post('/checks', { project_id: project, channel: 'blog', title: 'Text', body_markdown: text })
    const { findings } = answer.json()
    return findings.filter(({ rule_id: id }: Found) => id.startsWith('VALE-'))
  }
  const cases: [string, string[]][] = [
    ['A **very** good day.', ['Weasel very: \'very\' is a weasel word']],
    ['Quite a\nfew of them.', ['Weasel Quite a few: \'Quite a few\' is a weasel word']],
    ['`very` and https://very.example.com', []],
    ['Send an e-mail.', ['Terms e-mail: Use \'email\' instead of \'e-mail\'']],
    ['Hit on it, with a tablet.', ['Terms Hit on: Use \'select\' instead of \'Hit on\'']],
    ['One, two, three, four. Five, six.', ['Long ,: 3 commas']],
    ['It is the the sign.', ['Twice the the: \'the\' twice']],
    ['An advisor met an adviser.', ['Same adviser: one spelling, not \'adviser\'']],
    ['A World Health Organisation (WHO) page of the WHO and HTML for the FBI.',
      ['Acronyms FBI: \'FBI\' has no definition']],
    ['## All of Larkspur Now Runs\n\nText here.',
      ['Headings All of Larkspur Now Runs: \'All of Larkspur Now Runs\' is no sentence']],
    ['## All of Larkspur runs\n\nText here.', []],
    ['He came , she went.', ['Raw e ,: \'e ,\' has a space']],
    ['A `code` , here.', []],
    ['It is quux.', ['Some quux: no \'quux\'']]
  ]
  for (const [text, expected] of cases) {
    const findings = await found(text)
    t.same(findings.map(({ rule_id: id, match, message }) => `${id.replace('VALE-House.', '')} ${match}: ${message}`),
      expected, text)
    for (const { start, end, match } of findings) t.equal(text.slice(start, end).replaceAll('\n', ' '), match)
  }
  const [email] = await found('Send an e-mail.')
  t.match(email, { severity: 'error', suggestions: ['email'], fixable: true })
  const hard = 'Notwithstanding organisational difficulties, administrative representatives ' +
    'reconsidered responsibilities.'
  t.match(await found(hard), [{ rule_id: 'VALE-House.Reading', message: /^Grade \d\d\.\d\d$/ }])
})

t.test('a package comes as a zip archive; a later one takes the place of the earlier, until it is removed',
  async (t) => {
    const archive = (content: string) =>
      Buffer.from(zipSync({ 'House/One.yml': strToU8(content), 'House/README.md': strToU8('text') })).toString('base64')
    const one = 'extends: existence\nmessage: "no %s"\ntokens:\n  - foo\n'
    const { project, answer } = await makeStyle('Zip', { zip_base64: archive(one) })
    t.match(answer.json(), { name: 'House', rules: [{ rule_id: 'VALE-House.One' }], refused: [] })
    const again = await put(`/brands/${project}/styles/House`, { zip_base64: archive(one.replace('foo', 'bar')) })
    t.equal(again.statusCode, 200)
    t.not(again.json().hash, answer.json().hash)
    const rules = async () => (await post('/checks', {
      project_id: project,
      channel: 'blog',
      title: 'T',
      body_markdown: 'Foo bar, foo bar.'
    }))
      .json().findings.map(({ rule_id: id, match }: Found) => `${id} ${match}`)
    t.same(await rules(), ['VALE-House.One bar', 'VALE-House.One bar'])
    t.equal((await remove(`/brands/${project}/styles/House`)).statusCode, 204)
    t.same(await rules(), [])
    t.equal((await remove(`/brands/${project}/styles/House`)).statusCode, 404)
  })

t.test('a broken file names file and line, and nothing of the package is kept', async (t) => {
  const bad = async (content: string) => {
    const { project, answer } = await makeStyle(`Bad ${content.length}`, {
      files: [...files, {
        path: 'House/Bad.yml',
        content
      }]
    })
    t.equal(answer.statusCode, 422, answer.payload)
    t.same((await json(`/brands/${project}/styles`)).items, [])
    return answer.json()
  }
  t.match(await bad('extends: existence\nmessage: "x"\ntokens:\n  - a\n - b\n'),
    { code: 'invalid_style', detail: /^House\/Bad\.yml, line [45]: /, broken: [{ file: 'House/Bad.yml' }] })
  t.match(await bad('extends: existence\nmessage: "x"\nlevel: high\ntokens:\n  - a\n'),
    { detail: 'House/Bad.yml, line 3: "level" must be suggestion, warning or error' })
  t.match(await bad('message: "x"\nextends: magic\n'), { detail: /^House\/Bad\.yml, line 2: "extends" must be one of existence, / })
  t.match(await bad('extends: substitution\nmessage: "x"\n'),
    { detail: 'House/Bad.yml, line 1: "extends" is substitution, and there is no "swap"' })
  t.match(await bad('- a\n'), { detail: /^House\/Bad\.yml, line 1: is no mapping/ })
})

t.test('a file that expands by its aliases, a bomb and a text that is no archive are refused', async (t) => {
  const aliases = ['a: &a [x,x,x,x,x,x,x,x,x]', ...'bcdefgh'.split('').map((name, at) =>
    `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[at]}`).join(',')}]`)]
  const laughs = ['extends: existence', 'message: x', ...aliases, 'tokens: *h'].join('\n')
  const { answer } = await makeStyle('Laughs', { files: [{ path: 'Bad.yml', content: laughs }] })
  t.equal(answer.statusCode, 422, answer.payload)
  const bomb = Buffer.from(zipSync({ 'A.yml': new Uint8Array(20_000_000) })).toString('base64')
  t.match((await makeStyle('Bomb', { zip_base64: bomb })).answer.json(), { code: 'invalid_style' })
  t.match((await makeStyle('None', { zip_base64: 'aGVsbG8=' })).answer.json(),
    { detail: 'The package is no zip archive' })
  t.equal((await makeStyle('Both', { zip_base64: 'aGVsbG8=', files })).answer.statusCode, 400)
})

t.test('admins change styles, members read them, and foreign projects have none', async (t) => {
  const { project } = await makeStyle('Roles')
  const member = actor(app, (await makePerson(app, 'styles-member', 'member')).headers)
  t.equal((await member.put(`/brands/${project}/styles/House`, { files })).statusCode, 403)
  t.equal((await member.remove(`/brands/${project}/styles/House`)).statusCode, 403)
  t.equal((await member.get(`/brands/${project}/styles`)).statusCode, 200)
  t.equal((await put(`/brands/${missing}/styles/House`, { files })).statusCode, 404)
})
