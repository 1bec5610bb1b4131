import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, makeStranger, makeToken, problemOf } from '../account/actors.js'
import { makeOpenProject, missing } from './actors.js'

const app = await buildApp(t, { WORKER: 'false', SANDBOX: 'off' })
const closed = await makeOpenProject(app, 'Closed', { publish_targets: [{ kind: 'feed', name: 'Feed' }] })
const open = await makeOpenProject(app, 'Open', {
  publish_targets: [{ kind: 'feed', name: 'Feed', config: { public: true } }]
})
const read = (headers: Record<string, string>, project = closed) =>
  app.inject({ url: `/content/feeds/${project}.json`, headers })

t.test('B22: a feed that is not public needs content:read', async (t) => {
  const other = await makeToken(app, asAdmin, ['account:read', 'cloud:write'])
  for (const project of [closed, missing]) {
    t.same(problemOf(await read(other.headers, project)), {
      type: 'urn:steward:error:insufficient_scope',
      title: 'The token lacks the scope of this operation',
      status: 403,
      detail: 'The token lacks the scope content:read',
      code: 'insufficient_scope',
      scope: 'content:read'
    })
  }
  const viewer = await makePerson(app, 'Vera', 'viewer')
  const reader = await makeToken(app, viewer.headers, ['content:read'])
  for (const headers of [reader.headers, viewer.headers]) {
    const answer = await read(headers)
    t.match([answer.statusCode, answer.json()], [200, { title: 'Feed', items: [] }])
    t.equal(answer.headers['cache-control'], 'private, max-age=60', 'no cache in between keeps it')
  }
})

t.test('B15: a feed that is not public is of its own workspace', async (t) => {
  const stranger = await makeStranger(app)
  const [foreign, absent] = [await read(stranger), await read(stranger, missing)]
  t.match([foreign.statusCode, foreign.json()], [404, { code: 'not_found' }])
  t.same(problemOf(foreign), problemOf(absent))
})

t.test('a public feed needs no credentials', async (t) => {
  const other = await makeToken(app, asAdmin, ['account:read'])
  for (const headers of [{}, other.headers, await makeStranger(app)]) {
    const answer = await read(headers, open)
    t.same([answer.statusCode, answer.headers['cache-control']], [200, 'max-age=60'])
  }
})
