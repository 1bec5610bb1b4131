import t from '../../tap.js'
import { startChatApp } from '../../chat.js'
import { actor, makeSession } from './actors.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ model_retry_base_ms: 1 }) })
const { control } = anthropic
t.afterEach(() => control.reset())

const generate = async (path: string, body: object = {}) =>
  (await actor(app).post(`${path}/generate`, { engine: 'model', ...body }, { prefer: 'wait=60' })).json()

/** Prose with a demand in each section, and a story in each third. */
const documentOf = (name: string, characters: number): string => {
  const parts = [`# ${name}\n\nThe goal is a store that runs by itself.\n`]
  for (let at = 1, length = 0; length < characters; at++) {
    const story = at % 3 === 0 ? `As a clerk, I want to find rack ${at} so that I lose no time.\n\n` : ''
    const part = `## Area ${at} of ${name}\n\n${story}Area ${at} is one of the older ones and was rebuilt twice ` +
      'since it opened. People know it by the color of its floor, and those who work there pass it every morning. ' +
      `The door of area ${at} must close within ${at % 50 + 2} seconds. ` +
      'Nobody remembers why the lamps hang so low, but they have never been in the way of anyone who carries a box.\n\n'
    parts.push(part)
    length += part.length
  }
  return parts.join('').slice(0, characters)
}

const inputsOf = (...texts: string[]) =>
  ({ inputs: texts.map((text, at) => ({ kind: 'text', label: `Paper ${at + 1}`, text })) })
const large = inputsOf(documentOf('North', 195_000), documentOf('South', 195_000))

const sizesOf = () => control.requests('Task: ').map((body) => JSON.stringify(body).length)
const tokensOf = ({ input_tokens: input, cache_read_tokens: read, cache_write_tokens: written }:
Record<string, number>): number => Number(input) + Number(read) + Number(written)

t.test('two inputs of 195,000 characters are read in parts, each once, and all of their demands are taken',
  async (t) => {
    const { path } = await makeSession(app, '', { ...large, options: { max_requirements: 2_000 } })
    const { generation: { estimate } } = await generate(path, { dry_run: true })
    t.ok(estimate.parts > 9, 'the estimate says in how many parts')
    const { generation, spec } = await generate(path)
    t.equal(generation.status, 'succeeded')
    const { usage } = generation
    const tokens = tokensOf(usage)
    t.comment(`${usage.model_calls} calls, ${tokens} tokens; estimated ${estimate.model_calls}, ${estimate.input_tokens}`)
    t.ok(Math.abs(estimate.input_tokens - tokens) < tokens * 0.2, 'the estimate is within a fifth')
    t.ok(Math.abs(estimate.model_calls - usage.model_calls) < usage.model_calls * 0.2)
    t.ok(usage.cache_read_tokens > usage.cache_write_tokens * 0.7, 'what is left of a part is read from the cache')
    t.ok(Math.max(...sizesOf()) < 80_000, 'no call carries all')
    t.equal(control.requests('Task: read this part').length, estimate.parts, 'each part was read once')
    const { coverage } = spec.checks
    t.equal(coverage.taken + coverage.set_aside + coverage.undecided, coverage.sentences)
    t.ok(spec.document.requirements.length > 400)
    t.equal(spec.document.requirements[0].citations.length, 2, 'a demand of both inputs stands on both')
    const inputs = new Set(spec.document.stories.flatMap(({ citations }: { citations: { input_id: string }[] }) =>
      citations.map(({ input_id: id }) => id)))
    t.ok(inputs.size > 0)
  })

t.test('a requirement of large inputs is made anew from the part that it stands in', async (t) => {
  const { path } = await makeSession(app, '', inputsOf(documentOf('West', 110_000)))
  const { spec: { document } } = await generate(path)
  const { id } = document.requirements.at(-1)
  const before = control.requests('Task: read this part').length
  const { generation, spec } = await generate(path, { mode: 'requirements', targets: [id] })
  t.equal(generation.status, 'succeeded')
  t.equal(control.requests('Task: read this part').length - before, 1)
  t.equal(spec.checks.coverage.undecided, 0, 'what was not read this time is what it was')
})

t.test('a repair that mends a finding and breaks more is not taken', async (t) => {
  const { path } = await makeSession(app, 'The door must open quickly.\n')
  const { spec: before } = await generate(path, { budget: { max_repair_rounds: 0 } })
  const [{ id, acceptance }] = before.document.requirements
  t.ok(before.checks.counts.warn > 0)
  const items = [{
    id,
    title: 'T',
    statement: 'The door SHALL open and/or possibly close as appropriate, etc., where possible, in an adequate manner.',
    acceptance: []
  }]
  control.script({
    turns: Array(3).fill({ content: [{ type: 'text' as const, text: JSON.stringify({ items }) }] }),
    match: { text: 'Task: repair' }
  })
  const { spec } = await generate(path, { mode: 'repair', budget: { max_repair_rounds: 1 } })
  const [{ statement, acceptance: kept }] = spec.document.requirements
  t.same([statement, kept], [before.document.requirements[0].statement, acceptance])
  t.ok(spec.checks.counts.error <= before.checks.counts.error)
})
