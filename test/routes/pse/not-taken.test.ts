import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate, makeSession, missing } from './actors.js'

const app = await workspace(t)
const { get, json } = actor(app)

type Sentence = Record<string, string | number>

const text = ['# Lockers', 'Doors must open.',
  '# Rejected alternatives', ...Array.from({ length: 230 }, (_, at) => `Door ${at} must be green.`),
  '# Open questions', ...Array.from({ length: 3 }, (_, at) => `Must door ${at} be blue?`)].join('\n\n')

const pagesOf = async (path: string): Promise<Sentence[]> => {
  const items: Sentence[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await json(`${path}${cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`}`)
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

t.test('a version lists the first of each class, counts the others, and all of them can be read', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const { document, checks } = await json(`${path}/versions/1`)
  const classes = (items: Sentence[]) => Object.fromEntries(['alternative', 'question'].map((kind) =>
    [kind, items.filter((one) => one.class === kind).length]))
  t.same([classes(document.not_taken), document.not_taken_more],
    [{ alternative: 100, question: 3 }, [{ class: 'alternative', count: 130 }]])
  t.match(checks.coverage, { sentences: 234, taken: 1, set_aside: 233, undecided: 0, decided_pct: 100 })
  const all = await pagesOf(`${path}/versions/1/not-taken?limit=70`)
  t.same(classes(all), { alternative: 230, question: 3 })
  t.same(all.slice(0, 100), document.not_taken.slice(0, 100))
  for (const { quote, char_start: start } of all) t.ok(text.startsWith(String(quote), Number(start)))
  t.equal(new Set(all.map(({ quote }) => quote)).size, 233)
  t.same(await pagesOf(`${path}/versions/1/not-taken?class=question`), document.not_taken.slice(100))
  const { payload } = await get(`${path}/export?layout=markdown`)
  t.match(payload, '130 more of the class “alternative” are not listed here')
})

t.test('a small version lists all, and says of no class that there are more', async (t) => {
  const { path } = await makeSession(app, '# Alternatives\n\nDoors must be green.')
  await generate(app, path)
  const { document } = await json(`${path}/versions/1`)
  t.equal(document.not_taken_more, undefined)
  t.same((await json(`${path}/versions/1/not-taken`)).items, document.not_taken)
})

t.test('every sentence that is no requirement can be read, with the reason', async (t) => {
  const { path } = await makeSession(app, ['# Lockers', 'We rent lockers. Doors must open. A parcel is heavy.',
    '# Goals', '- Fewer lost parcels'].join('\n\n'))
  await generate(app, path)
  const { items } = await json(`${path}/versions/1/not-taken`)
  t.same(items.map(({ quote, class: kind, why }: Sentence) => [quote, kind, why]), [
    ['We rent lockers.', 'undecided', 'Nothing says whether it is demanded, below “Lockers”'],
    ['A parcel is heavy.', 'undecided', 'Nothing says whether it is demanded, below “Lockers”'],
    ['Fewer lost parcels', 'other', 'It stands below “Goals”']
  ])
  const { items: all } = await json(`${path}/versions/1/not-taken?all=true`)
  t.same(all.map(({ quote }: Sentence) => quote).filter((quote: string) => quote.startsWith('#')), ['# Lockers', '# Goals'])
  t.equal((await get(`${path}/versions/1/not-taken?all=maybe`)).statusCode, 400)
})

t.test('what was not taken belongs to a version, and a cursor to its list', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  t.equal((await get(`${path}/versions/9/not-taken`)).statusCode, 404)
  t.equal((await get(`/sessions/${missing}/versions/1/not-taken`)).statusCode, 404)
  const { next_cursor: cursor } = await json(`${path}/versions/1/not-taken?limit=5`)
  t.match((await get(`${path}/versions/1/not-taken?class=question&cursor=${cursor}`)).json(),
    { status: 400, code: 'invalid_cursor' })
})

t.test('each word of the inputs stands in what a version cites, or in its whole list of what it does not take', async (t) => {
  const source = ['---', 'owner: Ada', '---', '# Doors', '', 'Doors must open. They are red.', '', '> They must close.', '',
    '| ID | Requirement |', '|----|-------------|', '| D-1 | The door shall beep. |', '| D-2 | |', '', '```sh', 'echo must', '```', '',
    '- [x] ~~Doors must sing~~', '', '<details><summary>More</summary>', '', 'Why not?', '', '</details>', '', '[^1]: A note.', '',
    '## Lock-out', '', 'Scenario: Wrong', 'Given a door', 'When a code is wrong', 'Then it stays shut', '', 'Regards', 'Ada'].join('\n')
  const { path } = await makeSession(app, source)
  const { spec: { document } } = await generate(app, path)
  const items = await pagesOf(`${path}/versions/1/not-taken?all=true`)
  const cited = (document.requirements as { citations: Sentence[] }[]).flatMap(({ citations }) => citations)
  const held = new Set([...items, ...cited].flatMap(({ char_start: from, char_end: to }) =>
    Array.from({ length: Number(to) - Number(from) }, (_, at) => Number(from) + at)))
  const marks = /^(?:- \[x\]|\[\^1\]:)/gm
  const words = [...source.replace(marks, (mark) => ' '.repeat(mark.length)).matchAll(/[\p{L}\p{N}]+/gu)]
  t.same(words.filter(({ index }) => !held.has(index)).map(({ 0: word, index }) => `${word} at ${index}`), [])
})
