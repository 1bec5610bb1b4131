import t from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import { asAdmin, makeEnvironment } from '../../app.js'
import { bind, makePerson } from '../account/actors.js'
import { actor, approve, makeContent, makeOpenProject, missing } from './actors.js'

const lines: string[] = []
const environment = await makeEnvironment(t, { WORKER: 'false', LOG_LEVEL: 'trace' })
const app = await build(readConfig(environment), { level: 'trace', stream: { write: (line) => lines.push(line) } })
t.teardown(() => app.close())
await app.ready()
const { get, post, remove, json } = actor(app)
const publish_targets = [{ kind: 'feed', name: 'News', config: {} }]
const shop = await makeOpenProject(app, 'Shop', { publish_targets })
const bank = await makeOpenProject(app, 'Bank', { publish_targets })

const schedule = async (project: string, title: string) => {
  const { id } = await makeContent(app, project, { title })
  await approve(app, id)
  await post(`/${id}/publish`, { publish_at: `${new Date().getUTCFullYear() + 1}-03-01T10:00:00Z` })
}
await schedule(shop, 'In the shop')
await schedule(bank, 'In the bank')

const subscribe = (headers: Record<string, string> = asAdmin, more: object = {}) =>
  actor(app, headers).post('/calendar/subscriptions', { name: 'Phone, mine', ...more })
const pathOf = (url: string): string => new URL(url).pathname
/** As a calendar reads it: without credentials. */
const read = (url: string) => app.inject({ url: pathOf(url) })
const titles = (payload: string): string[] =>
  [...payload.matchAll(/SUMMARY:Publish "([^"]+)"/g)].map(([, title = '']) => title)

t.test('an address shows the calendar to a program without credentials, and is shown once', async (t) => {
  const made = await subscribe()
  t.match([made.statusCode, made.headers['cache-control'], made.json()],
    [201, 'no-store', { name: 'Phone, mine', project_id: null, last_used_at: null }])
  const { url, ...kept } = made.json()
  t.match(url, /\/content\/calendar\/stw_cal_[0-9A-Za-z]{49}\.ics$/)
  const answer = await read(url)
  t.match([answer.statusCode, answer.headers], [200, {
    'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex'
  }])
  t.equal(answer.headers['content-disposition'], undefined, 'it is no download')
  t.match(answer.payload, 'METHOD:PUBLISH\r\nNAME:Phone\\, mine\r\nX-WR-CALNAME:Phone\\, mine\r\n')
  t.same(titles(answer.payload).sort(), ['In the bank', 'In the shop'])
  t.equal((await app.inject({ url: `${pathOf(url)}?nocache=1` })).statusCode, 200)
  const { items } = await json('/calendar/subscriptions')
  t.same(Object.keys(items[0]).sort(), Object.keys(kept).sort(), 'without the address')
  t.ok(items[0].last_used_at)
})

t.test('what is in the row is a hash, and no log line has the address', async (t) => {
  const { url } = (await subscribe()).json()
  const [token = ''] = /stw_cal_\w+/.exec(url) ?? []
  await read(url)
  const rows = await app.db.selectFrom('content_calendar').selectAll().execute()
  t.notMatch(JSON.stringify(rows.map((row) => ({ ...row, hash: row.hash.toString('latin1') }))), token)
  t.match(lines.join(''), /readContentCalendar/, 'it was read')
  t.notMatch(lines.join(''), token)
  t.match((await read(url.replace(/.\.ics$/, '~.ics'))).json(), { status: 404 })
  t.notMatch(lines.join(''), token.slice(0, -1))
})

t.test('a deleted address, and one that never was, show nothing', async (t) => {
  const { id, url } = (await subscribe()).json()
  t.equal((await remove(`/calendar/subscriptions/${id}`)).statusCode, 204)
  t.match((await read(url)).json(), { status: 404, code: 'not_found' })
  t.match((await remove(`/calendar/subscriptions/${id}`)).json(), { status: 404 })
  t.match((await remove(`/calendar/subscriptions/${missing}`)).json(), { status: 404 })
  const { secret } = (await app.inject({
    method: 'POST',
    url: '/account/tokens',
    headers: asAdmin,
    payload: { name: 'A', scopes: ['content:read'], expires_in_days: 1 }
  })).json()
  for (const name of [`${secret}.ics`, url.slice(-60).replace(/.*stw/, 'stw').replace('.ics', '.txt'), 'stw_cal_x.ics', 'a']) {
    t.equal((await app.inject({ url: `/content/calendar/${name}` })).statusCode, 404, name)
  }
})

t.test('it can do nothing else: the token in it is no credential elsewhere', async (t) => {
  const [token = ''] = /stw_cal_\w+/.exec((await subscribe()).json().url) ?? []
  t.match((await get('/scheduled', { authorization: `Bearer ${token}` })).json(), { status: 401 })
})

t.test('it shows what its person may see now, and nothing once they are disabled', async (t) => {
  const bound = await makePerson(app, 'Bo', 'none')
  const binding = await bind(app, 'viewer', { kind: 'user', id: bound.id }, { kind: 'project', id: shop })
  const all = (await subscribe(bound.headers)).json()
  t.same(titles((await read(all.url)).payload), ['In the shop'])
  t.match((await subscribe(bound.headers, { project_id: bank })).json(), { status: 404 })
  const one = (await subscribe(bound.headers, { project_id: shop })).json()
  t.same(titles((await read(one.url)).payload), ['In the shop'])

  await app.inject({ method: 'DELETE', url: `/account/bindings/${binding}`, headers: asAdmin })
  t.equal((await read(all.url)).statusCode, 404)
  t.equal((await read(one.url)).statusCode, 404)

  const vera = await makePerson(app, 'Vera', 'viewer')
  const { url } = (await subscribe(vera.headers)).json()
  t.equal((await read(url)).statusCode, 200)
  await app.inject({
    method: 'PATCH', url: `/account/users/${vera.id}`, headers: asAdmin, payload: { status: 'disabled' }
  })
  t.equal((await read(url)).statusCode, 404)
})

t.test('each person has their own, and an admin deletes those of others', async (t) => {
  const ada = await makePerson(app, 'Ada', 'viewer')
  const eve = await makePerson(app, 'Eve', 'viewer')
  const { id, url } = (await subscribe(ada.headers)).json()
  t.same((await actor(app, eve.headers).json('/calendar/subscriptions')).items, [])
  t.equal((await actor(app, eve.headers).remove(`/calendar/subscriptions/${id}`)).statusCode, 404)
  t.equal((await read(url)).statusCode, 200)
  t.equal((await remove(`/calendar/subscriptions/${id}`)).statusCode, 204)
  t.equal((await read(url)).statusCode, 404)
})

t.test('nobody has more than twenty', async (t) => {
  const { headers } = await makePerson(app, 'Max', 'viewer')
  for (let made = 0; made < 20; made++) await subscribe(headers)
  t.match((await subscribe(headers)).json(), { status: 422, code: 'calendars_full' })
})
