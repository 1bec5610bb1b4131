import { createHash } from 'node:crypto'
import t from '../../tap.js'
import { workspace } from '../../app.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { get, post, json } = actor(app)

t.test('a brief becomes a spec, and the spec a file', async (t) => {
  const { id, path } = await makeSession(app, brief)
  const { generation, spec } = await generate(app, path)
  t.match(generation, {
    session_id: id,
    mode: 'full',
    engine: 'template',
    model: null,
    status: 'succeeded',
    base_version: null,
    result_version: 1,
    usage: { cost: { amount: '0.000000', currency: 'USD' } },
    error: null
  })
  t.same(new Set(generation.steps.map(({ status }: { status: string }) => status)), new Set(['done']))
  t.same(await json(`${path}/versions/1`), spec)
  const file = await get(`${path}/export`)
  t.equal(file.headers['content-type'], 'text/markdown; charset=utf-8')
  t.match(file.payload, /^# Parcel lockers\n\n> Sorted without a language model/)
  t.match(file.payload, /### FR-\d+ .*\n\nWhen a customer enters a wrong code five times, the locker must refuse/)
  const { payload } = await get(`${path}/export?layout=json`)
  t.same(JSON.parse(payload), spec.document)
  t.equal(createHash('sha256').update(payload).digest('hex'), spec.content_hash)
})

t.test('A1: the same inputs give the same bytes, and a second run the same spec', async (t) => {
  const { path } = await makeSession(app, brief)
  const first = await generate(app, path)
  const second = await generate(app, path)
  t.equal(second.generation.result_version, 2)
  t.same(second.spec.document, first.spec.document)
  t.equal(second.spec.content_hash, first.spec.content_hash)
})

t.test('an empty body generates; a session without usable inputs is refused', async (t) => {
  const { path } = await makeSession(app, brief)
  t.equal((await post(`${path}/generate`)).statusCode, 200)
  const bare = (await post('/sessions', { title: 'Bare' })).json()
  const refused = await post(`/sessions/${bare.session_id}/generate`)
  t.match(refused.json(), { status: 422, code: 'no_usable_inputs' })
  t.equal((await json(`/sessions/${bare.session_id}`)).state, 'open')
})
