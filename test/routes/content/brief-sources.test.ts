import t from '../../tap.js'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../app.js'
import { actor, makeBrief, makeContent, makeOpenProject, missing } from './actors.js'

const page = { text: '<h1>Press</h1><p>The fair has 320 stands. It opens on 5 May 2027.</p>' }
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page.text))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/press`

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { post, put, json, call } = actor(app)
const project = await makeOpenProject(app, 'Sources')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const add = async (brief: string, input: object) => post(`/briefs/${brief}/sources`, input)

const report = '# Report\n\n## Checkout\n\nA checkout took 21 seconds. Nora Lind measured it.\n\n- Twelve shops took part.\n'

t.test('a document is read, its sentences are proposed with their places, and a person accepts some as facts', async (t) => {
  const brief = await makeBrief(app, project, { facts: [], points: [{ text: 'One', fact_ids: [] }] })
  const read = (await add(brief.id, { kind: 'file', filename: 'report.md', data: base64(report) })).json()
  t.same(read.proposed.map(({ number, text, headings, fact_id: fact }: Record<string, unknown>) => [number, text, headings, fact]), [
    [1, 'A checkout took 21 seconds.', ['Report', 'Checkout'], null], [2, 'Nora Lind measured it.', ['Report', 'Checkout'], null],
    [3, 'Twelve shops took part.', ['Report', 'Checkout'], null]
  ])
  for (const { text, start, end } of read.proposed) t.equal(report.slice(start, end), text)
  t.same((await json(`/briefs/${brief.id}`)).facts, [], 'nothing is a fact before a person accepts it')

  const place = { source_id: read.id, start: 23, end: 50 }
  const chosen = { sentences: [1, 3], read_at: read.read_at }
  const accepted = (await post(`/briefs/${brief.id}/sources/${read.id}/facts`, chosen, { 'if-match': '"r1"' })).json()
  t.match(accepted, {
    revision: 2,
    facts: [
      {
        id: 'f1',
        text: 'A checkout took 21 seconds.',
        source: { kind: 'file', ref: 'report.md', quote: 'A checkout took 21 seconds.', place }
      },
      { id: 'f2', text: 'Twelve shops took part.' }
    ]
  })
  const again = await post(`/briefs/${brief.id}/sources/${read.id}/facts`, { sentences: [1], read_at: read.read_at })
  t.equal(again.json().revision, 2, 'again changes nothing')
  t.match((await post(`/briefs/${brief.id}/sources/${read.id}/facts`, { sentences: [9], read_at: read.read_at })).json(),
    { status: 400, errors: [{ pointer: '/sentences/0', code: 'unknown' }] })
  const late = { sentences: [2], read_at: read.read_at }
  t.match((await post(`/briefs/${brief.id}/sources/${read.id}/facts`, late, { 'if-match': '"r1"' })).json(), { status: 412 })
  t.match(await json(`/briefs/${brief.id}/sources`), { items: [{ name: 'report.md', facts: 2, changed: [] }] })
  t.match(await json(`/briefs/${brief.id}/sources/${read.id}`), { proposed: [{ fact_id: 'f1' }, { fact_id: null }, { fact_id: 'f2' }] })
})

t.test('a source that changes marks the facts that it no longer has, and moves the others', async (t) => {
  const brief = await makeBrief(app, project, { facts: [], points: [{ text: 'One', fact_ids: [] }], title: 'Changing' })
  const file = (text: string) => ({ kind: 'file', filename: 'report.md', data: base64(text) })
  const read = (await add(brief.id, file(report))).json()
  await post(`/briefs/${brief.id}/sources/${read.id}/facts`, { sentences: [1, 3], read_at: read.read_at })
  const changed = (await add(brief.id, file(report.replace('21 seconds', '29 seconds').replace('# Report', '# The report')))).json()
  t.match(changed, { id: read.id, facts: 2, changed: ['f1'] })
  const stale = await post(`/briefs/${brief.id}/sources/${read.id}/facts`, { sentences: [2], read_at: read.read_at })
  t.match([stale.statusCode, stale.json()], [409, { code: 'state_changed' }], 'its numbers may name other sentences now')
  t.equal((await json(`/briefs/${brief.id}`)).facts.length, 2)
  const { facts } = await json(`/briefs/${brief.id}`)
  t.same(facts.map(({ source }: { source: { changed?: boolean, place: { start: number } } }) => [source.changed, source.place.start]),
    [[true, 23], [undefined, 81]])
  const back = (await add(brief.id, file(report))).json()
  t.same(back.changed, [], 'as it was, it is a fact again')
})

t.test('an address is read through the guard of addresses', async (t) => {
  const brief = await makeBrief(app, project, { facts: [], points: [{ text: 'One', fact_ids: [] }], title: 'Address' })
  const read = (await add(brief.id, { kind: 'url', url })).json()
  t.same(read.proposed.map(({ text }: { text: string }) => text), ['The fair has 320 stands.', 'It opens on 5 May 2027.'])
  const { facts: [fact] } = (await post(`/briefs/${brief.id}/sources/${read.id}/facts`, { sentences: [1], read_at: read.read_at })).json()
  t.match(fact, { source: { kind: 'url', ref: url } })
  const body_markdown = 'There are 320 stands.[^f1]\n\nThere are 32 stands.[^f1]\n\n[^f1]: Press\n'
  const { id } = await makeContent(app, project, { title: 'Fair', brief_id: brief.id, body_markdown })
  t.same((await json(`/${id}/statements`)).items.map(({ verdict }: { verdict: string }) => verdict), ['unchecked', 'not'])
  t.match((await add(brief.id, { kind: 'url', url: 'http://10.0.0.1/press' })).json(),
    { status: 422, code: 'source_unreadable', errors: [{ pointer: '/url', code: 'url_not_allowed' }] })
})

t.test('what cannot be read is refused with its pointer, and nothing is stored', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Refused' })
  const cases: [object, number, string, string][] = [
    [{ kind: 'file', filename: 'a.md' }, 400, '/data', 'required'], [{ kind: 'file', data: 'YQ==' }, 400, '/filename', 'required'],
    [{ kind: 'url' }, 400, '/url', 'required'], [{ kind: 'file', filename: 'a.md', data: '§' }, 422, '/data', 'not_base64'],
    [{ kind: 'file', filename: 'a.md', data: base64(' \n') }, 422, '/data', 'no_text'],
    [{ kind: 'file', filename: 'a.pdf', data: base64('%PDF-1.7 broken') }, 422, '/data', 'file_broken']
  ]
  for (const [input, status, pointer, code] of cases) {
    t.match((await add(brief.id, input)).json(), { status, errors: [{ pointer, code }] }, JSON.stringify(input))
  }
  t.same(await json(`/briefs/${brief.id}/sources`), { items: [] })
  t.equal((await add(missing, { kind: 'url', url })).statusCode, 404)
  t.equal((await call('GET', `/briefs/${brief.id}/sources/${missing}`)).statusCode, 404)
  await put(`/briefs/${brief.id}`, await json(`/briefs/${brief.id}`))
})
