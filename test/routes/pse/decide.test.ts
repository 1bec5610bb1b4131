import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { json, post } = actor(app)
const text = `# Doors

- D-1: The door must open within 5 seconds.

Guests wait at the gate.

The bell rings twice.

Doors are heavy.
`
interface Sentence { input_id: string, char_start: number, quote: string, class: string, why: string }

const open = async () => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const read = async () => {
    const { current_version: version } = await json(path)
    const { document, checks } = await json(`${path}/versions/${version}`)
    const { items } = await json(`${path}/versions/${version}/not-taken?class=undecided`)
    return { version, document, coverage: checks.coverage, undecided: items as Sentence[] }
  }
  const { undecided } = await read()
  const target = (words: string): string => {
    const found = undecided.find(({ quote }) => quote === words)
    return `${found?.input_id}@${found?.char_start}`
  }
  const edit = async (...ops: object[]) => {
    const { current_version: base_version } = await json(path)
    return post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version, ops }] })
  }
  return { path, read, target, edit, undecided }
}

t.test('a person takes, words, joins and sets aside sentences, and coverage is what is decided', async (t) => {
  const { read, target, edit, undecided } = await open()
  t.same(undecided.map(({ quote }) => quote), ['Guests wait at the gate.', 'The bell rings twice.', 'Doors are heavy.'])
  const before = await read()
  t.same([before.coverage.undecided, before.coverage.decided_pct], [3, 25])
  const answer = await edit(
    { op: 'take', target: target('Guests wait at the gate.') },
    { op: 'dismiss', target: target('Doors are heavy.'), value: 'Everybody knows' },
    { op: 'join', target: target('The bell rings twice.'), value: 'FR-001' })
  t.equal(answer.statusCode, 201, answer.payload)
  const { document, coverage, undecided: left } = await read()
  t.match(document.requirements, [
    { id: 'FR-001', citations: [{ quote: /The door must open/ }, { quote: 'The bell rings twice.' }], source_ids: ['D-1'] },
    { id: 'FR-002', statement: 'Guests wait at the gate.', origin: 'human', human_edited: false, citations: [{ match: 'exact' }] }
  ])
  t.same(left, [])
  t.same([coverage.taken, coverage.set_aside, coverage.undecided, coverage.decided_pct], [3, 1, 0, 100])
  t.match(document.not_taken, [{ quote: 'Doors are heavy.', class: 'other', why: 'Everybody knows' }])
})

t.test('what a person decided stays so in the next generation, and can be opened again', async (t) => {
  const { path, read, target, edit } = await open()
  await edit({ op: 'take', target: target('The bell rings twice.'), value: { statement: 'The bell must ring twice.' } },
    { op: 'dismiss', target: target('Doors are heavy.') })
  await generate(app, path)
  const { document, undecided } = await read()
  t.match(document.requirements[1], { statement: 'The bell must ring twice.', human_edited: true, level: 'MUST' })
  t.same(undecided.map(({ quote }) => quote), ['Guests wait at the gate.'])
  await edit({ op: 'reopen', target: target('Doors are heavy.') })
  t.same((await read()).undecided.map(({ quote }) => quote), ['Guests wait at the gate.', 'Doors are heavy.'])
})

t.test('a sentence is taken once, and what is none is refused with its pointer', async (t) => {
  const { read, target, edit, undecided } = await open()
  const key = target('The bell rings twice.')
  await edit({ op: 'take', target: key }, { op: 'take', target: key })
  t.equal((await read()).document.requirements.length, 2)
  const refused = async (op: object) => (await edit(op)).json()
  t.match(await refused({ op: 'take', target: `${undecided[0]?.input_id}@3` }),
    { status: 422, code: 'target_unknown', errors: [{ pointer: '/inputs/0/ops/0/target' }] })
  t.match(await refused({ op: 'join', target: key, value: 'FR-099' }),
    { status: 422, code: 'target_unknown', errors: [{ pointer: '/inputs/0/ops/0/value' }] })
  t.match(await refused({ op: 'dismiss', target: key, value: 'x'.repeat(301) }), { status: 422, code: 'edit_invalid' })
})
