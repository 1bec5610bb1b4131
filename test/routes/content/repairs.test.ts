import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, makeContent, makeProject, missing, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, post, put, json } = actor(app)
const project = await makeProject(app, 'Repairs')
const banned = [{ term: 'synergy', replacement: 'teamwork' }, { term: 'utilize', replacement: 'use' }]
await setBrand(app, project, { terms: { banned }, min_score: 0 })

const text = 'We utilize synergy. Synergy is what we like, and synergy stays.'
const repaired = 'We use teamwork. Teamwork is what we like, and teamwork stays.'
const write = async (title: string, body_markdown = text): Promise<string> =>
  (await makeContent(app, project, { title, body_markdown })).id
const fix = (id: string) => post('/generate', { mode: 'repair', engine: 'template', content_id: id })
const textOf = async (id: string): Promise<string> => (await json(`/${id}`)).body_markdown

interface Repair {
  id: string
  before: string
  after: string
  start: number
  end: number
  undone_version: number | null
}
interface Finding { match: string, rule_id: string, start: number }
interface Fate { fate: string, before: Finding | null, after: Finding | null }
type Side = { start: number, parts: { text: string }[] } | null
const repairsOf = async (id: string): Promise<Repair[]> =>
  (await json(`/${id}/repairs`)).items.toSorted((one: Repair, other: Repair) => one.start - other.start)
const undo = (id: string, repair: string | undefined, headers: Record<string, string> = {}) =>
  post(`/${id}/repairs/${repair}/undo`, undefined, headers)

t.test('each repair is a change by itself, with its finding, at its position', async (t) => {
  const id = await write('Each')
  await fix(id)
  t.equal(await textOf(id), repaired)
  const made = await repairsOf(id)
  t.same(made.map(({ before, after, start, end }) => [before, after, repaired.slice(start, end)]), [
    ['utilize', 'use', 'use'], ['synergy', 'teamwork', 'teamwork'], ['Synergy', 'Teamwork', 'Teamwork'],
    ['synergy', 'teamwork', 'teamwork']
  ])
  const [first] = (await json(`/${id}/repairs`)).items
  const admin = { id: app.home.admin_id, name: first.created_by.name }
  t.same(first, {
    id: first.id,
    content_id: id,
    version: 2,
    field: 'body_markdown',
    start: 47,
    end: 55,
    before: 'synergy',
    after: 'teamwork',
    finding: { ...first.finding, match: 'synergy', start: 49, end: 56 },
    created_by: admin,
    created_at: first.created_at,
    undone_version: null,
    undone_by: null,
    undone_at: null
  })
})

t.test('one repair is taken back and the others stay; its finding is open again', async (t) => {
  const id = await write('One')
  await fix(id)
  const second = (await repairsOf(id))[2]
  const answer = await undo(id, second?.id)
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { version: 3, body_markdown: repaired.replace('Teamwork', 'Synergy') })
  t.same(answer.json().checks.findings.map((one: { match: string }) => one.match)
    .filter((match: string) => /synergy/i.test(match)), ['Synergy'])
  t.match((await repairsOf(id))[2], { undone_version: 3 })
  t.equal((await undo(id, second?.id)).json().version, 3, 'again is the same answer')
  t.same((await json(`/${id}/repairs`)).items.filter((one: Repair) => one.undone_version !== null).length, 1)
})

t.test('a repair is taken back where it is by now, all of them in any order', async (t) => {
  const id = await write('Moved')
  await fix(id)
  const { title, slug } = await json(`/${id}`)
  await put(`/${id}`, { title, slug, body_markdown: `A new beginning. ${repaired}` })
  for (const { id: repair } of (await repairsOf(id)).toReversed()) t.equal((await undo(id, repair)).statusCode, 200)
  t.equal(await textOf(id), `A new beginning. ${text}`)
})

t.test('a repair of words that have changed since is not taken back; a restored version has them again', async (t) => {
  const id = await write('Overwritten')
  await fix(id)
  const [first] = await repairsOf(id)
  const { title, slug } = await json(`/${id}`)
  await put(`/${id}`, { title, slug, body_markdown: repaired.replace('use', 'apply') })
  t.match((await undo(id, first?.id)).json(), { status: 409, code: 'repair_overwritten' })
  t.equal((await json(`/${id}`)).head_version, 3)
  await post(`/${id}/versions/2/restore`)
  t.equal((await undo(id, first?.id)).statusCode, 200)
})

t.test('an edit meanwhile refuses the undo; others\' repairs are not there', async (t) => {
  const id = await write('Meanwhile')
  await fix(id)
  const [first] = await repairsOf(id)
  t.match((await undo(id, first?.id, { 'if-match': '"r1"' })).json(), { status: 412, code: 'stale_revision' })
  t.equal((await undo(id, missing)).statusCode, 404)
  t.equal((await undo(await write('Other'), first?.id)).statusCode, 404)
  const vera = actor(app, (await makePerson(app, 'Vera', 'viewer')).headers)
  t.equal((await vera.get(`/${id}/repairs`)).statusCode, 200)
  t.equal((await vera.post(`/${id}/repairs/${first?.id}/undo`)).statusCode, 403)
})

t.test('two versions stand side by side, with what became of each finding', async (t) => {
  const id = await write('Compared', 'We utilize it.\n\nWe like synergy.\n')
  const { title, slug } = await json(`/${id}`)
  const after = 'New line.\n\nWe use it.\n\nWe like synergy, and synergy.\n'
  await put(`/${id}`, { title: `${title} again`, slug, body_markdown: after })
  const answer = await get(`/${id}/comparison?from=1`)
  t.equal(answer.statusCode, 200)
  const compared = answer.json()
  t.match(compared, {
    from: { version: 1, title: 'Compared' },
    to: { version: 2, title: 'Compared again' },
    same_rules: true,
    fields: [{ field: 'title', before: 'Compared', after: 'Compared again' }]
  })
  const sides = compared.rows.map(({ left, right }: Record<string, Side>) =>
    [left, right].map((side) => side ? side.parts.map((part) => part.text).join('') : null))
  t.equal(sides.map(([left]: [string | null]) => left ?? '').join(''), 'We utilize it.\n\nWe like synergy.\n')
  t.equal(sides.map(([, right]: [unknown, string | null]) => right ?? '').join(''), after)
  const terms = compared.findings
    .map(({ fate, before, after }: Fate) => [fate, before?.match ?? after?.match, after?.start])
    .filter(([, match]: [string, string]) => /utilize|synergy/.test(match))
  t.same(terms, [['new', 'synergy', 44], ['gone', 'utilize', undefined], ['stays', 'synergy', 31]])
  t.equal((await get(`/${id}/comparison?from=9`)).statusCode, 404)
})

t.test('findings of a version that was checked by other rules are said to be so', async (t) => {
  const id = await write('Rules', 'We like harmony.')
  await setBrand(app, project, { terms: { banned: [...banned, { term: 'harmony' }] }, min_score: 0 })
  const { title, slug } = await json(`/${id}`)
  await put(`/${id}`, { title, slug, body_markdown: 'We like harmony a lot.' })
  t.match(await json(`/${id}/comparison?from=1`),
    { same_rules: false, from: { brand_version: 1 }, to: { brand_version: 2 } })
})
