import t from '../../tap.js'
import { actor, makeBrief, makeOpenProject, missing } from './actors.js'
import { buildWithModel, modelActor, script } from './model.js'
import { asAdmin } from '../../app.js'

const { app, model } = await buildWithModel(t)
const { get, post, json, run } = modelActor(app)
const project = await makeOpenProject(app, 'Ends')
const one = { channels: [{ channel: 'blog' }] }

interface Step { key: string, status: string, attempt: number, text: string | null }
const fault = (kind: 'refusal' | 'http_error', text: string, more: object = {}) =>
  model.control.fault({ kind, match: { text }, ...more })

/** The frames of a stream, as their events' names and data. */
const blocksOf = (payload: string) => payload.split('\n\n').filter((block) => block.startsWith('event:'))
const framesOf = (payload: string) => blocksOf(payload).map((frame) => {
  const [, data = '{}', id = ''] = /^event: \w+\ndata: (.*)\nid: (\d+)$/.exec(frame) ?? []
  return { id: Number(id), ...JSON.parse(data) as { type: string, generation_id: string } }
})

t.test('(6) a refused step fails its output; a template does not replace it', async (t) => {
  const channels = [{ channel: 'blog' }, { channel: 'email' }]
  const brief = await makeBrief(app, project, { title: 'Refused', channels })
  fault('refusal', 'Part: one section')
  const { contents: [blog, email], generation } = await run({ brief_id: brief.id })
  t.match(generation, {
    status: 'partial',
    engine: 'anthropic',
    outputs: [{ status: 'failed', error: { code: 'model_refused' } }, { status: 'done', error: null }]
  })
  t.match(blog, { body_markdown: '[[WRITE: the language model has not written this yet]]\n', version: 1 })
  t.match(await json(`/${blog.id}`), { engine: 'anthropic', generation: { status: 'failed' } })
  t.equal(email.version, 2)

  const again = await post(`/generations/${generation.id}/retry`)
  t.match(again.json(), { status: 'queued', retry_of: generation.id, outputs: [{ number: 1, content_id: blog.id }] })
  const { id } = again.json()
  const done = await get(`/generations/${id}/events`)
  t.match(framesOf(done.payload).at(-1), { type: 'generation_succeeded' })
  const { steps, ...after } = await json(`/generations/${id}`)
  t.match(after, { status: 'succeeded', outputs: [{ status: 'done', result_version: 2 }] })
  t.match(steps.find(({ key }: Step) => key === '1:plan'), { status: 'done', attempt: 0, output_tokens: 0 })
  t.match((await post(`/generations/${id}/retry`)).json(), { code: 'generation_state' })
})

t.test('(18) the progress is streamed, and goes on after the last id with no gap', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Streamed', ...one })
  const streamed = await post('/generate', { engine: 'anthropic', brief_id: brief.id }, { accept: 'text/event-stream' })
  const frames = framesOf(streamed.payload)
  t.same(frames.map(({ id }) => id), frames.map((_, index) => index + 1))
  t.match([frames[0], frames[1], frames.at(-2), frames.at(-1)], [
    { type: 'generation_queued', outputs: 1 }, { type: 'generation_started', engine: 'anthropic' },
    { type: 'output_completed', number: 1, result_version: 2 }, { type: 'generation_succeeded', status: 'succeeded' }
  ])
  const { generation_id: id } = frames[0] ?? {}
  const rest = await get(`/generations/${id}/events`, { 'last-event-id': '3' })
  t.same(framesOf(rest.payload), frames.slice(3))
  t.equal((await get(`/generations/${id}/events`, { 'last-event-id': String(frames.length) })).statusCode, 204)
  t.match((await get(`/generations/${missing}/events`)).json(), { code: 'not_found' })
})

t.test('(17) a cap of the budget stops it, and what is written is kept for a retry', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Capped', ...one })
  script(model, 'Part: outline', {
    title: 'Capped', summary: 'Short', sections: [{ heading: 'Speed', purpose: 'How fast', fact_ids: ['f1'] }]
  }, { usage: { input_tokens: 10, output_tokens: 900 } })
  const { generation } = await run({ brief_id: brief.id, budget: { max_output_tokens: 1_000 } })
  t.match(generation, {
    status: 'budget_exceeded',
    error: { code: 'budget_exceeded' },
    budget: { max_output_tokens: 1_000 },
    usage: { output_tokens: 900 },
    outputs: [{ status: 'failed', error: { code: 'budget_exceeded' } }]
  })
  const { id } = (await post(`/generations/${generation.id}/retry`, { budget: { max_output_tokens: 9_000 } })).json()
  await get(`/generations/${id}/events`)
  t.match(await json(`/generations/${id}`), { status: 'succeeded', budget: { max_output_tokens: 9_000 } })
  const above = await post('/generate',
    { engine: 'anthropic', brief_id: brief.id, budget: { max_cost_usd: '1000' } })
  t.match(above.json(), { status: 422, code: 'budget_above_limit' })
})

t.test('a dry run says what is expected, and writes nothing', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Planned', ...one })
  const answer = await post('/generate', { engine: 'anthropic', brief_id: brief.id, dry_run: true })
  t.match(answer.json(), {
    contents: [],
    generation: {
      id: null,
      status: null,
      outputs: [{ content_id: null, channel: 'blog', status: 'pending' }],
      estimate: { model_calls: 7, estimated: true, cost: { currency: 'USD' } }
    }
  })
  t.same((await json(`/?brief_id=${brief.id}`)).items, [])
})

t.test('a cancelled generation ends, a finished one is not cancelled, a record has one at a time', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Cancelled', ...one })
  model.control.fault({ kind: 'hang', match: { text: 'Part: outline' } })
  const begun = await post('/generate', { engine: 'anthropic', brief_id: brief.id }, { prefer: 'respond-async' })
  t.same([begun.statusCode, begun.headers.location], [202, `/content/generations/${begun.json().generation.id}`])
  const { contents: [{ id: content }], generation: { id } } = begun.json()
  const busy = await post('/generate', { mode: 'rewrite', content_id: content })
  t.match(busy.json(), { status: 409, code: 'generation_in_progress', generation_id: id })
  await post(`/generations/${id}/cancel`)
  await get(`/generations/${id}/events`)
  const cancelled = await post(`/generations/${id}/cancel`)
  t.match([cancelled.statusCode, cancelled.json()], [200, {
    status: 'cancelled', error: { code: 'cancelled' }, outputs: [{ status: 'cancelled' }]
  }])
  t.match(await json(`/${content}`), { generation: { id, status: 'cancelled' } })
  const other = (await run({ brief_id: brief.id, channels: [{ channel: 'email' }] })).generation
  t.match((await post(`/generations/${other.id}/cancel`)).json(), { code: 'generation_finished' })
})

t.test('generations are listed page by page, of one project or one record', async (t) => {
  const page = await json(`/generations?project_id=${project}&limit=2`)
  t.equal(page.items.length, 2)
  const next = await json(`/generations?project_id=${project}&limit=2&cursor=${page.next_cursor}`)
  t.notSame(next.items[0].id, page.items[0].id)
  t.same((await json(`/generations?project_id=${missing}`)).items, [])
  const { headers } = { headers: { ...asAdmin, authorization: 'Bearer none' } }
  t.equal((await actor(app, headers).get('/generations')).statusCode, 401)
})
