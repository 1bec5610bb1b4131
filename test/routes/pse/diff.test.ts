import { applyPatch } from 'diff'
import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate, makeSession, missing } from './actors.js'

const app = await workspace(t)
const { get, post, json } = actor(app)

const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'
const statement = 'WHEN night falls, THE SYSTEM SHALL light every lamp within 5 seconds.'

/** Version 2 changes one requirement, adds one, retires one, and has another goal. */
const makeVersions = async () => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const ops = [
    { op: 'replace', target: 'FR-002', value: { statement } },
    { op: 'add', target: 'requirements', value: { title: 'Bell', statement: 'THE SYSTEM SHALL ring a bell.' } },
    { op: 'retire', target: 'FR-001', value: 'Doors are sold apart.' },
    { op: 'add', target: 'sections.goals', value: 'Save power.' }
  ]
  const made = await post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version: 1, ops }] })
  t.equal(made.statusCode, 201, made.payload)
  return path
}
const path = await makeVersions()

t.test('granularity requirement: added, removed and changed items with their fields', async (t) => {
  const { items, ...counts } = await json(`${path}/diff`)
  t.match(counts, { granularity: 'requirement', from: 1, to: 2, added: 1, removed: 1, changed: 1 })
  const { document } = await json(`${path}/versions/1`)
  const [, second] = document.requirements
  t.same(items.map(({ target, change }: Record<string, string>) => [target, change]), [
    ['sections.goals', 'added'], ['FR-001', 'removed'], ['FR-002', 'changed'], ['FR-003', 'added']
  ])
  t.same(items[0].fields, [{ field: 'goals', before: [], after: ['Save power.'] }])
  t.same(items[1].fields, [
    { field: 'human_edited', before: false, after: true },
    { field: 'status', before: 'active', after: 'retired' },
    { field: 'retire_reason', before: null, after: 'Doors are sold apart.' },
    { field: 'retired_in', before: null, after: 2 }
  ])
  t.same(items[2], {
    target: 'FR-002',
    change: 'changed',
    title: second.title,
    fields: [
      { field: 'statement', before: second.statement, after: statement },
      { field: 'pattern', before: second.pattern, after: 'event' },
      { field: 'human_edited', before: false, after: true }
    ]
  })
  t.match(items[3], { title: 'Bell' })
  t.match(items[3].fields.find(({ field }: { field: string }) => field === 'statement'),
    { before: null, after: 'THE SYSTEM SHALL ring a bell.' })
})

t.test('granularity line: the patch turns one version into the other', async (t) => {
  const [before, after] = await Promise.all([1, 2].map(async (version) =>
    (await get(`${path}/export?version=${version}`)).payload))
  const { hunks, unified, ...rest } = await json(`${path}/diff?granularity=line&from=1&to=2`)
  t.same(rest, { granularity: 'line', from: 1, to: 2 })
  t.match(unified, /^--- v1\.md\n\+\+\+ v2\.md\n@@ /)
  t.equal(applyPatch(String(before), unified), after)
  t.ok(hunks.some(({ lines }: { lines: string[] }) => lines.includes(`+${statement}`)))
  const back = await json(`${path}/diff?granularity=line&from=2&to=1`)
  t.equal(applyPatch(String(after), back.unified), before, 'in the other direction too')
  t.match(await json(`${path}/diff?granularity=line&from=2&to=2`), { hunks: [], unified: '' })
})

t.test('granularity word: the parts contain both versions', async (t) => {
  const { parts } = await json(`${path}/diff?granularity=word`)
  const without = (op: string) => parts.filter((part: { op: string }) => part.op !== op)
    .map((part: { text: string }) => part.text).join('')
  t.equal(without('insert'), (await get(`${path}/export?version=1`)).payload)
  t.equal(without('delete'), (await get(`${path}/export?version=2`)).payload)
})

t.test('in the first version everything is added', async (t) => {
  const { from, added, removed, changed, unchanged } = await json(`${path}/diff?to=1`)
  t.match([from, removed, changed, unchanged], [null, 0, 0, 0])
  t.ok(added >= 2)
  const { unified } = await json(`${path}/diff?to=1&granularity=line`)
  t.equal(applyPatch('', unified), (await get(`${path}/export?version=1`)).payload)
})

t.test('texts without anything in common are reported as wholly replaced', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const long = (word: string) => Array.from({ length: 9_000 }, (_, at) => `${word}${at}`).join('\n').slice(0, 39_000)
  for (const [version, word] of ['a', 'b'].entries()) {
    const ops = [{ op: 'replace', target: 'sections.design', value: long(word) }]
    const made = await post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version: version + 1, ops }] })
    t.equal(made.statusCode, 201, made.payload)
  }
  const [before, after] = await Promise.all([2, 3].map(async (version) =>
    (await get(`${path}/export?version=${version}`)).payload))
  const { hunks, unified } = await json(`${path}/diff?granularity=line`)
  t.equal(hunks.length, 1)
  t.equal(applyPatch(String(before), unified), after)
  const { parts } = await json(`${path}/diff?granularity=word`)
  t.equal(parts.filter(({ op }: { op: string }) => op !== 'insert').map((part: { text: string }) => part.text).join(''),
    before)
})

t.test('unknown versions and sessions cannot be compared', async (t) => {
  for (const query of ['?from=9', '?to=9']) t.equal((await get(`${path}/diff${query}`)).statusCode, 404)
  t.equal((await get(`${path}/diff?from=99999999999`)).statusCode, 400, 'a number above the maximum')
  t.equal((await get(`/sessions/${missing}/diff`)).statusCode, 404)
  t.match((await get(`${path}/diff?granularity=page`)).json(), { status: 400, code: 'invalid_request' })
  const bare = (await post('/sessions', { title: 'Bare' })).json()
  t.match((await get(`/sessions/${bare.session_id}/diff`)).json(), { status: 409, code: 'no_version' })
})
