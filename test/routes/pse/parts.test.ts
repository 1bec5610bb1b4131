import t from '../../tap.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { framesOf, parseFrames, openChat } from '../../chat.js'
import { actor, makeSession } from './actors.js'

const { app, anthropic } = await openChat(t)
const { json, ...call } = actor(app)
const post = (path: string, body: object = {}, more: Record<string, string> = {}) =>
  call.post(path, body, { prefer: 'wait=60', ...more })
const { control } = anthropic
t.afterEach(() => control.reset())

const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n\nOut of scope are mats.\n'
const scriptAnswer = (section: 'read this part' | 'repair', value: object) => control.script({
  turns: [{ content: [{ type: 'text', text: JSON.stringify(value) }] }], match: { text: `Task: ${section}` }
})
const requestedTasks = () => control.requests('Task: ').map(({ body }) => /Task: ([a-z ]+)/.exec(JSON.stringify(body))?.[1])

const make = async (path: string, body: object = {}) => {
  const answer = await post(`${path}/generate`, body)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json()
}
const edit = (path: string, base_version: number, ...ops: object[]) =>
  post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version, ops }] })
const statements = ({ requirements }: SpecDocument) => requirements.map(({ id, statement }) => [id, statement])

const demand = (sentences: number[], statement: string) => ({
  sentences, title: 'T', statement, kind: 'functional', level: 'MUST', verification: 'test', acceptance: [], story: 0
})
const part = (requirements: object[], notes: object[] = []) => ({ requirements, stories: [], notes, questions: [] })
/** The numbers of the sentences; the title has 1. */
const [doors, lamps, mats] = [2, 3, 4]

const makeSpec = async () => {
  const { path } = await makeSession(app, text)
  const { spec } = await make(path)
  control.reset()
  return { path, first: spec.document as SpecDocument }
}

t.test('generating one section reads the inputs again and changes nothing else', async (t) => {
  const { path, first } = await makeSpec()
  await edit(path, 1, { op: 'replace', target: 'sections.summary', value: 'Written by a person.' })
  scriptAnswer('read this part', part([demand([doors], 'Doors SHALL sing.')], [{ sentences: [mats], is: 'non_goal' }]))
  const { generation, spec } = await make(path, { mode: 'sections', targets: ['sections.non_goals'] })
  t.same(requestedTasks().sort(), ['judge each requirement of the list against its sentences alone', 'read this part',
    'say of each of these sentences what it is'])
  t.match(generation, { mode: 'sections', status: 'succeeded', suggestions: [], usage: { model_calls: 3 } })
  const { non_goals, summary, judged: _, not_taken: left, ...rest } = spec.document
  t.same([non_goals, summary, left], [['Out of scope are mats.'], 'Written by a person.', first.not_taken])
  const { non_goals: __, summary: ___, judged: ____, not_taken: _____, ...before } = first
  t.same(rest, before)
})

t.test('a full generation after one of parts keeps a person\'s edit', async (t) => {
  const { path } = await makeSpec()
  const mine = 'THE SYSTEM SHALL light the lamps by hand.'
  await edit(path, 1, { op: 'replace', target: 'FR-002', value: { statement: mine } })
  await make(path, { mode: 'sections', targets: ['sections.goals'] })
  const { generation, spec } = await make(path)
  t.equal(new Map(statements(spec.document) as [string, string][]).get('FR-002'), mine)
  t.equal(generation.status, 'succeeded')
})

t.test('a generated requirement keeps its id, and one that the model leaves out stays', async (t) => {
  const { path, first } = await makeSpec()
  scriptAnswer('read this part', part([demand([doors], 'THE SYSTEM SHALL open every door.')]))
  const body = { mode: 'requirements', targets: ['FR-001', 'FR-002'] }
  const { spec } = await make(path, body)
  t.equal(requestedTasks().filter((task) => task === 'read this part').length, 1)
  t.same(statements(spec.document), [['FR-001', 'THE SYSTEM SHALL open every door.'], statements(first)[1]])
  t.same(spec.document.not_taken, first.not_taken)
})

t.test('an edited requirement gets a suggestion, and a locked one is refused as a target', async (t) => {
  const { path } = await makeSpec()
  const mine = 'THE SYSTEM SHALL open doors by hand.'
  await edit(path, 1, { op: 'replace', target: 'FR-001', value: { statement: mine } }, { op: 'lock', target: 'FR-002' })
  scriptAnswer('read this part', part([
    demand([doors], 'THE SYSTEM SHALL open every door.'), demand([lamps], 'THE SYSTEM SHALL dim every lamp.')
  ]))
  const { generation, spec } = await make(path, { mode: 'requirements', targets: ['FR-001'] })
  t.match(generation.suggestions, [{ target: 'FR-001', value: { statement: 'THE SYSTEM SHALL open every door.' } }])
  t.match(statements(spec.document), [['FR-001', mine], ['FR-002', /glow/]])
  const refused = await post(`${path}/generate`, { mode: 'requirements', targets: ['FR-001', 'FR-002'] })
  t.match(refused.json(), { status: 409, code: 'item_locked', errors: [{ pointer: '/targets/1' }] })
})

t.test('a repair runs at most two rounds and is accepted only where findings decrease', async (t) => {
  const { path } = await makeSpec()
  const vague = 'THE SYSTEM SHALL open every door quickly where possible.'
  scriptAnswer('read this part', part([demand([doors], vague), demand([lamps], 'THE SYSTEM SHALL let lamps glow where possible.')]))
  await make(path, { budget: { max_repair_rounds: 0 } })
  control.reset()
  const item = (id: string, statement: string) => ({ id, title: 'T', statement, acceptance: [] })
  const worse = item('FR-002', 'Lamps glow etc.')
  scriptAnswer('repair', { items: [item('FR-001', 'THE SYSTEM SHALL open every door quickly where possible etc.'), worse] })
  const none = await make(path, { mode: 'repair' })
  t.match(statements(none.spec.document), [['FR-001', vague], ['FR-002', /where possible/]])
  t.match(none.generation, { mode: 'repair', status: 'succeeded', usage: { model_calls: 1 } })
  control.reset()
  scriptAnswer('repair', {
    items: [{
      ...item('FR-001', 'THE SYSTEM SHALL open every door.'), acceptance: [{ given: 'a', when: 'b', then: 'c' }]
    }, worse]
  })
  scriptAnswer('repair', { items: [worse] })
  const answer = await post(`${path}/generate`, { mode: 'repair' }, { accept: 'text/event-stream' })
  const rounds = framesOf(parseFrames(answer.payload), 'repair_round').map(({ data }) =>
    [data.round, data.asked, data.accepted])
  t.same(rounds[0], [1, 2, ['FR-001']])
  t.ok(rounds.length <= 2 && requestedTasks().length <= 2)
  const { document } = await json(`${path}/versions/${(await json(path)).current_version}`)
  t.match(statements(document), [['FR-001', 'THE SYSTEM SHALL open every door.'], ['FR-002', /where possible/]])
})

t.test('a check makes no version and uses no model', async (t) => {
  const { path } = await makeSpec()
  const before = await json(`${path}/versions/1`)
  const { generation, spec } = await make(path, { mode: 'check' })
  t.match(generation, { mode: 'check', engine: 'template', status: 'succeeded', result_version: 1 })
  t.same(spec, before)
  t.same(requestedTasks(), [])
  t.equal((await json(path)).current_version, 1)
})

t.test('the template engine also generates parts, and the spec stays stale after a part', async (t) => {
  const { path } = await makeSession(app, text)
  await make(path, { engine: 'template' })
  await post(`${path}/inputs`, { inputs: [{ kind: 'text', text: '# Features\n\nMats must be clean.\n' }] })
  const body = { engine: 'template', mode: 'sections', targets: ['sections.goals'] }
  const { spec } = await make(path, body)
  t.equal(spec.document.requirements.length, 2)
  t.match(spec.document.not_taken.find((one: { quote: string }) => one.quote === 'Mats must be clean.'),
    { class: 'undecided' })
  t.match(await json(path), { stale: true, current_version: 2 })
})

t.test('invalid targets are refused with their pointer', async (t) => {
  const { path } = await makeSession(app, text)
  const refused = async (body: object) => (await post(`${path}/generate`, body)).json()
  t.match(await refused({ mode: 'repair' }), { status: 409, code: 'no_version' })
  await make(path, { engine: 'template' })
  const bad: [object, number, string, string?][] = [
    [{ mode: 'sections' }, 400, 'invalid_request', '/targets'],
    [{ targets: ['sections.goals'] }, 400, 'invalid_request', '/targets'],
    [{ mode: 'check', targets: ['FR-001'] }, 400, 'invalid_request', '/targets'],
    [{ mode: 'sections', targets: ['sections.goals', 'FR-001'] }, 422, 'target_unknown', '/targets/1'],
    [{ mode: 'sections', targets: ['sections.nonsense'] }, 422, 'target_unknown', '/targets/0'],
    [{ mode: 'requirements', targets: ['FR-099'] }, 422, 'target_unknown', '/targets/0'],
    [{ mode: 'repair', engine: 'template' }, 422, 'model_needed'],
    [{ mode: 'check', engine: 'model' }, 422, 'model_not_used']
  ]
  for (const [body, status, code, pointer] of bad) {
    t.match(await refused(body), { status, code, ...(pointer && { errors: [{ pointer }] }) }, JSON.stringify(body))
  }
  t.equal((await json(path)).current_version, 1)
})
