import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { makePerson } from '../routes/account/actors.js'
import { fill, share } from './belongings.js'
import { addressOf, walk } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const lists = operations.filter(({ method, parameters }) => method === 'GET' &&
  parameters.some(({ name, in: location }) => name === 'cursor' && location === 'query'))

for (const one of operations) if (one.id === 'listSharedMessages') await share(app, idOf(one, 'session_id'))

const nextOf = async (url: string, headers: Record<string, string> = asAdmin): Promise<string> => {
  const { next_cursor: next } = (await app.inject({ url, headers })).json()
  if (!next) throw new Error(`${url} has one page only`)
  return next
}

t.test('C27: a cursor that was cut, edited, or made for something else is refused by every list', async (t) => {
  const person = await makePerson(app, 'Curt', 'member')
  const mine = await nextOf('/account/projects?limit=1')
  const cursors = {
    nonsense: 'x',
    cut: mine.slice(0, -3),
    edited: `${mine.startsWith('A') ? 'B' : 'A'}${mine.slice(1)}`,
    long: mine.repeat(3),
    'of another list': mine,
    'of another person': await nextOf('/account/projects?limit=1', person.headers)
  }
  t.ok(lists.length > 15, `${lists.length} lists`)
  for (const operation of lists) {
    for (const [kind, cursor] of Object.entries(cursors)) {
      if (operation.id === 'listProjects' && kind === 'of another list') continue
      const answer = await app.inject({
        url: addressOf(operation, ({ name, in: location, required, schema }) => location === 'path'
          ? idOf(operation, name)
          : name === 'cursor' ? cursor : required ? String(sampleOf(schema, resolve)) : undefined),
        headers: asAdmin
      })
      t.same([answer.statusCode, answer.json().code], [400, 'invalid_cursor'], `${operation.id}, ${kind}`)
    }
  }
})

t.test('C27: nor does a cursor go on under another filter', async (t) => {
  const cursor = await nextOf('/account/projects?limit=1')
  const answer = await app.inject({ url: `/account/projects?limit=1&archived=true&cursor=${cursor}`, headers: asAdmin })
  t.same([answer.statusCode, answer.json().code], [400, 'invalid_cursor'])
  const same = await app.inject({ url: `/account/projects?limit=1&cursor=${cursor}`, headers: asAdmin })
  t.equal(same.statusCode, 200)
})
