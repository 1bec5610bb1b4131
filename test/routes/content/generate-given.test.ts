import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeBrief, makeOpenProject, makeProject, missing, input } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, json } = actor(app)
const project = await makeOpenProject(app, 'Given')
const { project_id: _, ...brief } = input(project)

t.test('a brief in the request gives the same content as a stored one, and is stored', async (t) => {
  const dry = (await post('/generate', { project_id: project, brief, dry_run: true })).json()
  t.same((await json('/briefs')).items, [], 'a dry run keeps nothing')
  const answer = await post('/generate', { project_id: project, brief })
  t.equal(answer.statusCode, 200)
  const { contents: [made], generation } = answer.json()
  const { items: [kept] } = await json('/briefs')
  t.match(kept, { ...brief, project_id: project, status: 'in_use', revision: 1 })
  t.equal(generation.brief_id, kept.id)
  t.equal((await json(`/${made.id}`)).brief_id, kept.id)
  t.same(made.checks, dry.contents[0].checks, 'the facts of the brief are known to the dry run too')
  const copy = await makeBrief(app, await makeProject(app, 'Copy'))
  const same = (await post('/generate', { brief_id: copy.id })).json().contents[0]
  t.same([same.title, same.body_markdown, same.checks.score], [made.title, made.body_markdown, made.checks.score])
})

t.test('a brief in the request is held to the rules of briefs', async (t) => {
  const before = (await json('/briefs')).items.length
  const points = [{ text: 'Something', fact_ids: ['unknown'] }]
  const cases: [object, number, string, string?][] = [
    [{ brief }, 400, 'invalid_request', '/project_id'],
    [{ brief, project_id: missing }, 404, 'not_found'],
    [{ brief, project_id: project, brief_id: missing }, 400, 'invalid_request', '/brief'],
    [{ brief: { ...brief, points }, project_id: project }, 400, 'invalid_request', '/brief/points/0/fact_ids/0'],
    [{ brief: { ...brief, points: [] }, project_id: project }, 400, 'invalid_request', '/brief/points'],
    [{ brief: { ...brief, other: 1 }, project_id: project }, 400, 'unknown_field', '/brief/other'],
    [{ brief, project_id: project, locale: 'fr' }, 422, 'locale_not_enabled']
  ]
  for (const [payload, status, code, pointer] of cases) {
    const answer = (await post('/generate', payload)).json()
    t.match(answer, { status, code, ...(pointer && { errors: [{ pointer }] }) }, JSON.stringify(answer))
  }
  t.equal((await json('/briefs')).items.length, before)
  const other = await makeBrief(app, await makeProject(app, 'Elsewhere'))
  t.match((await post('/generate', { brief_id: other.id, project_id: project })).json(), { code: 'brief_not_found' })
})
