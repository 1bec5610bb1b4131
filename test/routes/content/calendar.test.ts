import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, approve, makeContent, makeOpenProject, missing } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, post, json } = actor(app)
const target = { kind: 'feed', name: 'News, daily', config: {} }
const project = await makeOpenProject(app, 'Calendar', { publish_targets: [target] })

const schedule = async (title: string, at: string, where = project) => {
  const { id } = await makeContent(app, where, { title })
  await approve(app, id)
  await post(`/${id}/publish`, { publish_at: at })
  return (await json(`/${id}/publications`)).items[0]
}
/** A day of next year, so that it is never in the past. */
const day = (text: string) => `${new Date().getUTCFullYear() + 1}-${text}`

t.test('what is scheduled is a calendar, the next first, and what was cancelled is not in it', async (t) => {
  const late = await schedule('Later; with a, comma', day('06-02T09:30:00Z'))
  const soon = await schedule('Soon', day('03-01T10:00:00+01:00'))
  const gone = await schedule('Never', day('04-01T09:00:00Z'))
  await post(`/${gone.content_id}/publications/${gone.id}/cancel`)
  const answer = await get('/calendar')
  t.match(answer.headers['content-type'], 'text/calendar')
  const stamp = (text: string) => text.replace(/[-:]/g, '').replace(/\.\d+Z$/, 'Z')
  t.equal(answer.payload, [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Steward//Content//EN',
    'BEGIN:VEVENT',
    `UID:${soon.id}`,
    `DTSTAMP:${stamp(soon.created_at)}`,
    `DTSTART:${stamp(day('03-01T09:00:00Z'))}`,
    'SUMMARY:Publish "Soon"',
    'DESCRIPTION:Version 1\\, News\\, daily (feed)',
    'END:VEVENT',
    'BEGIN:VEVENT',
    `UID:${late.id}`,
    `DTSTAMP:${stamp(late.created_at)}`,
    `DTSTART:${stamp(day('06-02T09:30:00Z'))}`,
    'SUMMARY:Publish "Later\\; with a\\, comma"',
    'DESCRIPTION:Version 1\\, News\\, daily (feed)',
    'END:VEVENT',
    'END:VCALENDAR',
    ''
  ].join('\r\n'))
})

t.test('a long title is folded within 75 octets and between characters; a title opens no event', async (t) => {
  const other = await makeOpenProject(app, 'Long', { publish_targets: [target] })
  await schedule(`${'Größe 🌼 '.repeat(12)}END:VEVENT`, day('05-01T09:00:00Z'), other)
  const { payload } = await get(`/calendar?project_id=${other}`)
  const lines = payload.split('\r\n')
  t.ok(lines.every((line) => Buffer.byteLength(line) <= 75))
  t.notMatch(payload, '\uFFFD')
  t.match(payload.replaceAll('\r\n ', ''), `SUMMARY:Publish "${'Größe 🌼 '.repeat(12)}END:VEVENT"`)
  t.equal(lines.filter((line) => line === 'END:VEVENT').length, 1)
})

t.test('it has what the caller may see', async (t) => {
  t.match((await get(`/calendar?project_id=${missing}`)).json(), { status: 404, code: 'not_found' })
  const { headers } = await makePerson(app, 'Vera', 'viewer')
  t.match((await actor(app, headers).get('/calendar')).payload, 'SUMMARY:Publish "Soon"')
  t.equal((await app.inject({ url: '/content/calendar' })).statusCode, 401)
})
