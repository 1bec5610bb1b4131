import t from '../../tap.js'
import { workspace } from '../../app.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { json, post } = actor(app)
const decide = async (path: string, text: string, more: object = {}) =>
  (await post(`${path}/inputs`, { kind: 'decision', text, ...more })).json()
const outcomes = (spec: { document: { decisions: { outcome: string }[] } }): string[] =>
  spec.document.decisions.map(({ outcome }) => outcome)

t.test('a decision supersedes an earlier one', async (t) => {
  const { path } = await makeSession(app, brief)
  const { inputs: [first] } = await decide(path, 'Doors are opened by a code.')
  t.match(outcomes((await generate(app, path)).spec), ['Doors are opened by a code.'])
  const { inputs: [second] } = await decide(path, 'Doors are opened by the app.', { supersedes: first.input_id })
  t.same(second.source, { supersedes: first.input_id })
  t.equal((await json(`${path}/inputs/${first.input_id}`)).status, 'superseded')
  t.same(outcomes((await generate(app, path)).spec), ['Doors are opened by the app.'])
})

t.test('only a valid decision of the session can be superseded; otherwise nothing is added', async (t) => {
  const { path } = await makeSession(app, brief)
  const { inputs: [gone] } = await decide(path, 'Lockers are blue.')
  await decide(path, 'Lockers are red.', { supersedes: gone.input_id })
  const other = await makeSession(app, brief)
  const { inputs: [foreign] } = await decide(other.path, 'Lockers are green.')
  const { items } = await json(`${path}/inputs`)
  for (const supersedes of [gone.input_id, foreign.input_id, items[0].input_id]) {
    t.match(await decide(path, 'Lockers are white.', { supersedes }), {
      status: 422,
      code: 'target_unknown',
      errors: [{
        pointer: '/supersedes', code: 'target_unknown', message: 'is no decision of this session that still holds'
      }]
    })
  }
  t.same((await json(`${path}/inputs`)).items, items)
})
