import { strFromU8, unzipSync } from 'fflate'
import t from '../../tap.js'
import { startChatApp } from '../../chat.js'
import { actor, makeSession } from './actors.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ model_retry_base_ms: 1 }) })
const { get, json, post } = actor(app)
const { control } = anthropic
t.afterEach(() => control.reset())

const text = '# Gate\n\nThe gate must open within 5 seconds.\n\nThe horn must sound twice.\n\nThe lamp must glow.\n'

interface Made { id: string, statement: string, filled_in?: true, origin: string, citations: { quote: string }[] }

interface Repeated { citations: unknown[], repeats: number }

/** The model takes the gate only. */
const generate = async (path: string, body: object = {}) => {
  const { items: [input] } = await json(`${path}/inputs`)
  const requirements = [{
    kind: 'functional',
    title: 'Opening',
    statement: 'The gate SHALL open within 5 seconds.',
    level: 'MUST',
    rationale: '',
    verification: 'test',
    acceptance: [],
    citations: [{ chunk_id: `${input.input_id}#1`, quote: 'The gate must open within 5 seconds.' }]
  }]
  control.script({
    turns: [{ content: [{ type: 'text' as const, text: JSON.stringify({ requirements }) }] }],
    match: { text: 'Section: requirements of no story' }
  })
  const answer = await post(`${path}/generate`, { engine: 'model', ...body }, { prefer: 'wait=60' })
  control.reset()
  return answer.json()
}

const listed = (requirements: Made[]) =>
  requirements.map(({ id, statement, filled_in: filled = false }) => [id, statement, filled])

t.test('a demand that the model passes over becomes a requirement that says so', async (t) => {
  const { path } = await makeSession(app, text)
  const { generation, spec } = await generate(path)
  const { requirements, engine, uncovered } = spec.document
  t.same(listed(requirements), [
    ['FR-001', 'The gate SHALL open within 5 seconds.', false],
    ['FR-002', 'The horn SHALL sound twice.', true],
    ['FR-003', 'The lamp SHALL glow.', true]
  ])
  t.match(requirements[1],
    { origin: 'generated', citations: [{ quote: 'The horn must sound twice.', match: 'exact' }] })
  t.match(engine, { name: 'anthropic', notice: /passed over/ })
  t.same([uncovered, spec.checks.coverage.uncovered], [[], 0])
  t.match(generation.steps.find(({ key }: { key: string }) => key === 'fill'), { status: 'done', model_calls: 0 })
  const { payload } = await get(`${path}/export?layout=markdown`)
  t.equal(payload.split('Filled in: the model passed over this sentence.').length, 3)
  const exported = (await json(`${path}/export?layout=json`)).requirements
  t.same(listed(exported ?? []).map(([, , filled]) => filled), [false, true, true])
  const named: [string, string][] = [['spec-kit', 'FR-002, FR-003'], ['kiro', 'Requirement 2, Requirement 3'],
    ['openspec', 'FR-002, FR-003']]
  for (const [layout, names] of named) {
    const { rawPayload } = await get(`${path}/export?layout=${layout}`)
    const files = Object.values(unzipSync(rawPayload)).map((file) => strFromU8(file)).join('\n')
    t.ok(files.includes(`passed over these sentences of the inputs: ${names}.`), layout)
  }
})

t.test('what a person retired stays out, and nothing is filled in twice', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(path)
  await post(`${path}/inputs`, {
    kind: 'edit', base_version: 1, ops: [{ op: 'retire', target: 'FR-002', value: 'The neighbours complained' }]
  })
  const { spec } = await generate(path)
  t.same(spec.document.requirements.map(({ id, status }: { id: string, status: string }) => [id, status]),
    [['FR-001', 'active'], ['FR-002', 'retired'], ['FR-003', 'active']])
})

t.test('a waiver of PSE305 excludes what is not covered', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(path)
  const waiver = { kind: 'waiver', rule_id: 'PSE305', reason: 'The gate alone is in this phase' }
  t.equal((await post(`${path}/inputs`, waiver)).statusCode, 201)
  await post(`${path}/inputs`, { kind: 'text', text: 'The bolt must click.' })
  const { spec } = await generate(path)
  t.same(spec.document.requirements.map(({ id }: Made) => id), ['FR-001', 'FR-002', 'FR-003'])
  t.match(spec.document.uncovered, [{ quote: 'The bolt must click.' }])
})

t.test('the limit holds, and what exceeds it is listed with the reason', async (t) => {
  const more = 'The bell must ring.\n\nThe mat must lie.\n\nThe bolt must click.\n'
  const { path } = await makeSession(app, `${text}\n${more}`, { options: { max_requirements: 5 } })
  const { spec } = await generate(path)
  t.equal(spec.document.requirements.length, 5)
  t.match(spec.document.uncovered, [{ quote: 'The bolt must click.', why: /as many requirements as it may have/ }])
})

t.test('a demand that stands twice is one requirement on both, also where the model cites one', async (t) => {
  const { path } = await makeSession(app, `${text}\n# Again\n\nThe gate must open within 5 seconds.\n`)
  const { spec: { document: { requirements: [first, ...rest] } } } = await generate(path)
  t.equal(first.citations.length, 2)
  t.equal(rest.length, 2)
})

t.test('what stands a hundred times is one requirement, whether or not the model cites a place', async (t) => {
  const { path } = await makeSession(app, text.repeat(100))
  const { spec: { document: { requirements, uncovered }, checks } } = await generate(path)
  t.same(requirements.map(({ citations, repeats }: Repeated) => [citations.length, repeats]),
    [[20, 80], [20, 80], [20, 80]])
  t.same([uncovered, checks.coverage.uncovered], [[], 0])
})

t.test('only a generation sets the mark', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(path)
  const refused = await post(`${path}/inputs`, {
    kind: 'edit', base_version: 1, ops: [{ op: 'replace', target: 'FR-001', value: { filled_in: true } }]
  })
  t.match(refused.json(), { status: 422, code: 'edit_invalid' })
})
