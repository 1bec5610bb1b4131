import t from '../../tap.js'
import { makePerson } from '../account/actors.js'
import { workspace } from '../../app.js'
import { actor, addTasks, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { post, json } = actor(app)

const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'
const add = (path: string, ...inputs: object[]) => post(`${path}/inputs`, { inputs })
const edit = (base_version: number, ...ops: object[]) => ({ kind: 'edit', base_version, ops })
const find = (spec: { document: { requirements: { id: string }[] } }, id: string) =>
  spec.document.requirements.find((item) => item.id === id)
const lamp = { title: 'Lamps', statement: 'WHEN night falls, THE SYSTEM SHALL light every lamp within 5 seconds.' }

t.test('A3, A4: an edit makes a version and survives a full generation; locked items stay unchanged', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const edited = await add(path, edit(1, { op: 'replace', target: 'FR-002', value: lamp },
    { op: 'lock', target: 'FR-001' }, { op: 'add', target: 'sections.goals', value: 'Save power.' },
    { op: 'add', target: 'requirements', value: { statement: 'THE SYSTEM SHALL ring a bell.', title: 'Bell' } }))
  t.match(edited.json(), { current_version: 2, inputs: [{ kind: 'edit', source: { base_version: 1, ops: 4 } }] })
  const second = await json(`${path}/versions/2`)
  t.match(second, { origin: 'edited', parent_version: 1, generation_id: null })
  t.match(find(second, 'FR-002'), { ...lamp, pattern: 'event', human_edited: true })
  const bell = { origin: 'human', pattern: 'ubiquitous', statement: 'THE SYSTEM SHALL ring a bell.' }
  t.match(find(second, 'FR-003'), bell)
  await add(path, { kind: 'text', text: '# Features\n\nDoors must be opened by hand.\n\nMats must be clean.\n' })
  const { spec } = await generate(app, path)
  t.match(spec, { version: 3, origin: 'merged', parent_version: 2 })
  t.match(find(spec, 'FR-002'), lamp)
  t.same(find(spec, 'FR-001'), find(second, 'FR-001'))
  t.match(find(spec, 'FR-003'), { statement: 'THE SYSTEM SHALL ring a bell.', status: 'active' })
  t.ok(spec.document.goals.includes('Save power.'))
  t.ok(spec.document.requirements.some(({ statement }: { statement: string }) => /Mats/.test(statement)))
})

t.test('an entry of a section without an id gets one that was never used, and keeps it', async (t) => {
  const { path } = await makeSession(app, text)
  const { spec } = await generate(app, path)
  const used = spec.document.counters.D ?? 0
  const title = { title: 'Use steel', status: 'accepted', drivers: [], options: [], consequences: [] }
  const steel = { ...title, outcome: 'Doors are of steel.', input_id: null }
  const decide = (base: number, ...value: object[]) =>
    add(path, edit(base, { op: 'replace', target: 'sections.decisions', value }))
  const decisions = async (version: number) => (await json(`${path}/versions/${version}`)).document.decisions
  t.equal((await decide(1, steel)).statusCode, 201)
  t.same(await decisions(2), [{ id: `D-${used + 1}`, ...steel }])
  await decide(2, { id: `D-${used + 1}`, ...steel, title: 'Use iron' }, steel)
  t.same(await decisions(3), [{ id: `D-${used + 1}`, ...steel, title: 'Use iron' }, { id: `D-${used + 2}`, ...steel }])
  await decide(3)
  await decide(4, steel)
  t.same((await decisions(5)).map(({ id }: { id: string }) => id), [`D-${used + 3}`])
  await add(path, edit(5, { op: 'lock', target: 'sections.decisions' }))
  t.match((await decide(6)).json(), { status: 409, code: 'item_locked' })
  const half = await add(path, edit(6, { op: 'replace', target: 'sections.assumptions', value: [{ text: 'Doors' }] }))
  t.match(half.json(), { status: 422, code: 'edit_invalid' })
})

t.test('tasks and questions without an id get one and stay after a generation; a wrong one is refused', async (t) => {
  const { path } = await makeSession(app, text, { artifacts: ['requirements', 'tasks'] })
  const { spec } = await generate(app, path)
  const { document: first } = await addTasks(app, path, spec)
  const task = {
    title: 'Order steel', requirement_ids: ['FR-001'], story_id: null, depends_on: ['T001'], parallel: false
  }
  const question = {
    question: 'Who opens at night?',
    why_it_matters: '',
    options: [],
    recommended: null,
    blocking: true,
    status: 'open',
    answer_input_id: null,
    about: null
  }
  const made = await add(path, edit(2, { op: 'add', target: 'sections.tasks', value: task },
    { op: 'add', target: 'sections.open_questions', value: question }))
  t.equal(made.statusCode, 201, made.payload)
  const { document } = await json(`${path}/versions/3`)
  const [named, asked] = [document.tasks.at(-1), document.open_questions.at(-1)]
  t.same(named, { id: `T${String(first.counters.T + 1).padStart(3, '0')}`, ...task })
  t.same(asked, { id: 'Q-1', ...question })
  t.match(await json(path), { state: 'needs_input', blocking_questions: 1 })
  await add(path, { kind: 'answer', question_id: asked.id, text: 'Nobody.' })
  const { spec: again } = await generate(app, path)
  t.same(again.document.tasks.find(({ id }: { id: string }) => id === named.id), named)
  t.match(again.document.open_questions.find(({ id }: { id: string }) => id === asked.id), { status: 'answered' })
  const bad = await add(path, edit(4, { op: 'add', target: 'sections.tasks', value: { ...task, parallel: 'yes' } }))
  t.match(bad.json(), { status: 422, code: 'edit_invalid' })
})

t.test('a suggestion is an edit as it stands: the item is the generation’s, with its citations', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const mine = { statement: 'THE SYSTEM SHALL light some lamps.', title: 'Some lamps' }
  t.equal((await add(path, edit(1, { op: 'replace', target: 'FR-002', value: mine }))).statusCode, 201)
  await add(path, { kind: 'text', text: '# Features\n\nLamps must glow at night.\n\nMats must be clean.\n' })
  const { generation, spec } = await generate(app, path)
  t.match(find(spec, 'FR-002'), mine)
  const [suggested] = generation.suggestions
  t.match(suggested, { target: 'FR-002', op: 'replace', value: { citations: [{}, {}] } })
  const taken = ({ op, target, value }: typeof suggested) => ({ op, target, value })
  const forged = { ...suggested.value, statement: 'THE SYSTEM SHALL do what nobody asked for.' }
  t.match((await add(path, edit(3, { ...taken(suggested), value: forged }))).json(),
    { status: 422, code: 'edit_invalid', errors: [{ pointer: '/inputs/0/ops/0/value/id' }] })
  t.equal((await add(path, edit(3, ...generation.suggestions.map(taken)))).statusCode, 201)
  t.same(find(await json(`${path}/versions/4`), 'FR-002'), { ...suggested.value, since_version: 1 })
})

t.test('an edit does not ask again what was answered since the last version', async (t) => {
  const { path } = await makeSession(app, `${text}\nThe limit must be TBD.\n`)
  await generate(app, path)
  await add(path, { kind: 'answer', question_id: 'Q-1', text: 'It is 5.' })
  await add(path, edit(1, { op: 'lock', target: 'FR-001' }))
  t.match(await json(path), { current_version: 2, state: 'review', blocking_questions: 0 })
})

t.test('the text of a template\'s section is written and locked by its key, and nothing else of it', async (t) => {
  const standard = await post('/standards', {
    title: 'Our template',
    kind: 'template',
    body_markdown: '# Rollout\n\nIn which order?\n'
  })
  t.equal(standard.statusCode, 201, standard.payload)
  const { path } = await makeSession(app, text, { standards: [{ standard_id: standard.json().standard_id }] })
  await generate(app, path)
  const rollout = async (version: number) => (await json(`${path}/versions/${version}`)).document.sections
  const target = 'sections.rollout'
  const before = await rollout(1)
  t.match(before, [{ key: 'rollout', title: 'Rollout' }])
  t.equal((await add(path, edit(1, { op: 'replace', target, value: 'Doors first.' }))).statusCode, 201)
  t.same(await rollout(2), [{ ...before[0], text: 'Doors first.' }])
  t.match((await add(path, edit(2, { op: 'replace', target, value: { title: 'X' } }))).json(),
    { status: 422, code: 'edit_invalid', errors: [{ pointer: '/inputs/0/ops/0/value' }] })
  t.match((await add(path, edit(2, { op: 'replace', target: 'sections.roll', value: 'X' }))).json(),
    { status: 422, code: 'target_unknown' })
  await add(path, edit(2, { op: 'lock', target }))
  t.match((await add(path, edit(3, { op: 'replace', target, value: 'Lamps first.' }))).json(),
    { status: 409, code: 'item_locked' })
  const { spec } = await generate(app, path)
  t.match(spec.document.sections, [{ key: 'rollout', text: 'Doors first.' }])
})

t.test('an invalid edit changes nothing and names the field', async (t) => {
  const { path } = await makeSession(app, text)
  t.match((await add(path, edit(1, { op: 'lock', target: 'FR-001' }))).json(), { status: 409, code: 'no_version' })
  await generate(app, path)
  await add(path, edit(1, { op: 'lock', target: 'FR-001' }))
  const before = await json(path)
  const bad: [object, number, string, string][] = [
    [{ op: 'replace', target: 'FR-099', value: lamp }, 422, 'target_unknown', '/inputs/0/ops/1/target'],
    [{ op: 'replace', target: 'FR-002', value: { id: 'FR-9' } }, 422, 'edit_invalid', '/inputs/0/ops/1/value/id'],
    [{ op: 'replace', target: 'FR-002', value: { level: 'NO' } }, 422, 'edit_invalid', '/inputs/0/ops/1/value/level'],
    [{ op: 'replace', target: 'sections.goals', value: 'x' }, 422, 'edit_invalid', '/inputs/0/ops/1/value'],
    [{ op: 'replace', target: 'FR-001', value: lamp }, 409, 'item_locked', '/inputs/0/ops/1/target']
  ]
  const good = { op: 'replace', target: 'sections.summary', value: 'All about doors.' }
  for (const [op, status, code, pointer] of bad) {
    t.match((await add(path, edit(2, good, op))).json(), { status, code, errors: [{ pointer }] }, code)
  }
  t.match((await add(path, edit(1, good))).json(), { status: 409, code: 'base_version_stale', current_version: 2 })
  t.same(await json(path), before)
})

t.test('two edits of one version: one wins', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const answers = await Promise.all(['A', 'B', 'C'].map((value) =>
    add(path, edit(1, { op: 'replace', target: 'sections.summary', value }))))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
  t.equal((await json(path)).current_version, 2)
})

t.test('approval needs the role, answered questions and no open error; an edit reopens the spec', async (t) => {
  const { path } = await makeSession(app, `${text}\nThe limit must be TBD.\n`)
  const move = (to: string, more = actor(app)) => more.post(`${path}/transitions`, { to })
  t.match((await move('approved')).json(), { status: 409, code: 'no_version' })
  await generate(app, path)
  t.match(await json(path), { state: 'needs_input', blocking_questions: 1 })
  t.match((await move('approved')).json(), { status: 409, code: 'questions_open', questions: ['Q-1'] })
  t.match((await add(path, { kind: 'answer', question_id: 'Q-99', text: 'x' })).json(),
    { status: 422, code: 'target_unknown', errors: [{ pointer: '/inputs/0/question_id' }] })
  await add(path, { kind: 'answer', question_id: 'Q-1', text: 'It is 5.' })
  t.match(await json(path), { state: 'review', blocking_questions: 0, stale: true })
  t.match((await move('approved')).json(), { status: 409, code: 'spec_stale' })
  await generate(app, path)
  const errors = async () => (await json(`${path}/versions/${(await json(path)).current_version}`)).checks.findings
    .filter(({ severity, status }: Record<string, string>) => severity === 'error' && status === 'open')
  const open = await errors()
  if (open.length > 0) t.match((await move('approved')).json(), { status: 409, code: 'checks_failed' })
  for (const { rule_id, target } of open) {
    await add(path, { kind: 'waiver', rule_id, target, reason: 'Accepted for the first release.' })
  }
  t.same(await errors(), [])
  const member = actor(app, (await makePerson(app, 'Max', 'member')).headers)
  t.match((await move('approved', member)).json(), { status: 403, code: 'insufficient_role' })
  const approved = (await move('approved')).json()
  t.match(approved, { state: 'approved', approved_version: approved.current_version })
  t.match((await post(`${path}/generate`)).json(), { status: 409, code: 'session_approved' })
  await add(path, edit(approved.current_version, { op: 'replace', target: 'sections.summary', value: 'New.' }))
  t.match(await json(path), { state: 'review', approved_version: approved.approved_version })
  t.match((await move('archived')).json(), { state: 'archived' })
  t.match((await add(path, { kind: 'text', text: 'x' })).json(), { status: 409, code: 'session_archived' })
  t.match((await move('restored')).json(), { state: 'review' })
})
