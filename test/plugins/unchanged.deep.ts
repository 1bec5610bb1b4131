import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { fill, share } from '../attacks/belongings.js'
import { addressOf, walk } from '../attacks/operations.js'
import { sampleOf } from '../attacks/samples.js'
import { makePerson, makeToken } from '../routes/account/actors.js'

const app = await buildApp(t, { LIMITS: JSON.stringify({ requests_per_minute: 1_000_000 }), WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const files = ['getFeed', 'getContentImage']
const conditional = operations.filter(({ id, method, parameters }) => method === 'GET' && !files.includes(id) &&
  parameters.some(({ name, in: location }) => name === 'If-None-Match' && location === 'header'))

for (const one of operations) if (one.id === 'listSharedMessages') await share(app, idOf(one, 'session_id'))

const read = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...asAdmin, ...headers } })

t.test('every page and record that the document gives a 304 has an ETag, and is 304 to whoever has it', async (t) => {
  let records = 0
  for (const operation of conditional) {
    const url = addressOf(operation, ({ name, in: location, required, schema }) => location === 'path'
      ? idOf(operation, name)
      : required ? String(sampleOf(schema, resolve)) : undefined)
    const first = await read(url)
    const { etag = '' } = first.headers
    const { revision } = first.json()
    if (revision !== undefined) records++
    t.match(String(etag), revision === undefined ? /^W\/"[\w-]{22}"$/ : new RegExp(`^"r${revision}\\.[\\w-]{22}"$`), operation.id)
    t.same([first.statusCode, first.headers['cache-control'], first.headers.vary],
      [200, 'private, no-cache', 'authorization, cookie'], operation.id)
    const again = await read(url, { 'if-none-match': String(etag) })
    t.same([again.statusCode, again.payload, again.headers.etag, again.headers['cache-control'], again.headers.vary,
      again.headers['content-type'], again.headers['content-length']],
    [304, '', etag, 'private, no-cache', 'authorization, cookie', undefined, undefined], operation.id)
  }
  t.same([conditional.length - records, records], [46, 19])
})

t.test('the tag of a record that was read is a condition to change it, and no tag of what was computed of it anew', async (t) => {
  const made = await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Tagged' } })
  const url = `/account/projects/${made.json().id}`
  const { headers: { etag: held } } = await read(url)
  const patch = (etag: string) => app.inject(
    { method: 'PATCH', url, headers: { ...asAdmin, 'if-match': etag }, payload: { description: 'For the docks' } })
  t.equal((await patch(String(held))).statusCode, 200)
  t.match((await patch(String(held))).json(), { code: 'stale_revision' })
  const changed = await read(url, { 'if-none-match': String(held) })
  t.match([changed.statusCode, changed.json().description], [200, 'For the docks'])
  // Its revision is the same, and what it was made of is not.
  const own = String(changed.headers.etag)
  t.equal((await read(url, { 'if-none-match': own.replace(/\..*"/, '."') })).statusCode, 200)
})

t.test('a page that has changed, or that another one is shown, is sent whole', async (t) => {
  const make = (name: string) =>
    app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name } })
  await make('One')
  const first = await read('/account/projects?limit=1')
  const held = { 'if-none-match': `"other", ${String(first.headers.etag).replace('W/', '')}` }
  t.equal((await read('/account/projects?limit=1', held)).statusCode, 304, 'one of several, compared weakly')
  t.equal((await read('/account/projects?limit=1', { 'if-none-match': '*' })).statusCode, 304)
  await make('Two')
  const second = await read('/account/projects?limit=1', held)
  t.same([second.statusCode, second.json().items[0].name], [200, 'Two'])

  const mine = await read('/account/sessions')
  const person = await makePerson(app, 'Else', 'viewer')
  const theirs = await app.inject(
    { url: '/account/sessions', headers: { ...person.headers, 'if-none-match': String(mine.headers.etag) } })
  t.same([theirs.statusCode, theirs.json().items.length], [200, 1])
})

t.test('who may not read a page is refused, whatever they hold', async (t) => {
  const { headers: { etag } } = await read('/account/users')
  const ask = (headers: Record<string, string>) =>
    app.inject({ url: '/account/users', headers: { ...headers, 'if-none-match': String(etag) } })
  t.equal((await ask(asAdmin)).statusCode, 304)
  const refused = await ask({})
  t.same([refused.statusCode, refused.headers.etag, refused.json().code], [401, undefined, 'unauthenticated'])
  const person = await makePerson(app, 'Gone', 'member')
  const token = await makeToken(app, person.headers, ['account:read'])
  t.equal((await ask(token.headers)).statusCode, 403)
  await app.inject({ method: 'DELETE', url: `/account/tokens/${token.id}`, headers: person.headers })
  t.equal((await ask(token.headers)).json().code, 'token_revoked')
})

t.test('a head has the tag of the page, and no refusal has one', async (t) => {
  const page = await read('/account/projects')
  const head = await app.inject({ method: 'HEAD', url: '/account/projects', headers: asAdmin })
  t.same([head.statusCode, head.headers.etag, head.payload], [200, page.headers.etag, ''])
  const wrong = await read('/account/projects?limit=0')
  t.same([wrong.statusCode, wrong.headers.etag, wrong.headers['cache-control']], [400, undefined, undefined])
})
