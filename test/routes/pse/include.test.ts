import t from '../../tap.js'
import { workspace } from '../../app.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { get, json } = actor(app)
const everything = 'inputs,spec,checks,generations,versions'

t.test('include adds the requested parts, each as its own operation returns it', async (t) => {
  const { path } = await makeSession(app, brief)
  const alone = await json(path)
  t.notOk('included' in alone)
  const { included: before } = await json(`${path}?include=${everything}`)
  t.same(before, {
    inputs: (await json(`${path}/inputs`)).items, spec: null, checks: null, generations: [], versions: []
  })
  await generate(app, path)
  await generate(app, path)
  const first = await json(`${path}/versions/1`)
  const { included, ...session } = await json(`${path}?include=${everything}&version=1`)
  t.same(session, await json(path))
  t.same(included, {
    inputs: (await json(`${path}/inputs`)).items,
    spec: first,
    checks: first.checks,
    generations: (await json(`${path}/generations`)).items,
    versions: (await json(`${path}/versions`)).items
  })
  t.same((await json(`${path}?include=spec`)).included, { spec: await json(`${path}/versions/2`) }, 'the current one')
  t.match((await get(`${path}?include=spec&version=9`)).json(), { status: 404, code: 'not_found' })
  t.match((await get(`${path}?include=secrets`)).json(), { status: 400, code: 'invalid_request' })
})
