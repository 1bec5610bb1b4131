import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeContent, makeProject, missing, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { get, put, json } = actor(app)
const project = await makeProject(app, 'Translations')
await setBrand(app, project, { locales: { default: 'en', enabled: ['en', 'de', 'fr'] } })

const write = async (title: string, more: object = {}): Promise<string> =>
  (await makeContent(app, project, { title, body_markdown: 'The first text.', ...more })).id
const edit = async (id: string, more: object) => {
  const { title, slug, body_markdown } = await json(`/${id}`)
  const answer = await put(`/${id}`, { title, slug, body_markdown, ...more })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
}
const link = (id: string, source_id: string | null, more: object = {}, headers: Record<string, string> = {}) =>
  put(`/${id}/translation`, { source_id, ...more }, headers)

t.test('a translation says when its source has moved on, shows how, and is marked as up to date', async (t) => {
  const source = await write('Source')
  const id = await write('Quelle', { locale: 'de', translation_of: source, body_markdown: 'Der erste Text.' })
  const fresh = {
    content_id: id,
    source: { id: source, title: 'Source', locale: 'en', head_version: 1 },
    source_version: 1,
    source_changed: false,
    changes: { from: 1, to: 1, fields: [], body: [{ op: 'equal', text: 'The first text.' }] },
    translations: [],
    revision: 1
  }
  t.same((await get(`/${id}/translation`)).json(), fresh)
  await edit(source, { body_markdown: 'The second text.' })
  t.match((await get(`/${id}/translation`)).json(), {
    source: { head_version: 2 },
    source_version: 1,
    source_changed: true,
    changes: {
      from: 1,
      to: 2,
      body: [{ op: 'equal', text: 'The ' }, { op: 'delete', text: 'first' }, { op: 'insert', text: 'second' },
        { op: 'equal', text: ' text.' }]
    }
  })
  t.same((await json('/?source_changed=true')).items.map((one: { id: string }) => one.id), [id])
  t.match((await json(`/${source}/translation`)), { source: null, translations: [{ id, source_changed: true }] })
  t.match((await link(id, source, { source_version: 2 })).json(), { source_version: 2, source_changed: false })
  t.same((await json('/?source_changed=true')).items, [])
  t.match(await json(`/${id}`), { translated_version: 2, source_changed: false, revision: 2 })
})

t.test('what readers do not see moves no source on; a source that is put back is as it was', async (t) => {
  const source = await write('Waived')
  const id = await write('Ausgenommen', { locale: 'de', translation_of: source })
  await edit(source, { waivers: [{ rule_id: 'CNT-VOI-HYPE', reason: 'It is a quotation' }] })
  t.match(await json(`/${id}/translation`), { source: { head_version: 2 }, source_changed: false })
  await edit(source, { body_markdown: 'Another text.' })
  t.match(await json(`/${id}/translation`), { source_changed: true })
  await actor(app).post(`/${source}/versions/1/restore`)
  t.match(await json(`/${id}/translation`), { source: { head_version: 4 }, source_changed: false })
})

t.test('an editor saves a translation whose source moves on meanwhile', async (t) => {
  const source = await write('Meanwhile')
  const id = await write('Derweil', { locale: 'de', translation_of: source })
  const read = await json(`/${id}`)
  await edit(source, { body_markdown: 'Another text.' })
  t.match((await put(`/${id}`, { ...read, body_markdown: 'Ein neuer Text.' }, { 'if-match': '"r1"' })).json(),
    { version: 2, source_changed: true, translated_version: 1 })
})

t.test('no text translates its own translation, even when two are linked at once', async (t) => {
  const [a, b, c] = [await write('A'), await write('B'), await write('C')] as [string, string, string]
  t.match((await link(a, a)).json(), { status: 422, code: 'translation_cycle' })
  await link(b, a)
  await link(c, b)
  t.match((await link(a, c)).json(), { status: 422, code: 'translation_cycle' })
  const [x, y, z] = [await write('X'), await write('Y'), await write('Z')] as [string, string, string]
  await link(y, x)
  await link(z, y)
  await actor(app).remove(`/${y}`)
  t.match((await link(x, z)).json(), { code: 'translation_cycle' }, 'what is deleted may come back')
  const [d, e] = [await write('D'), await write('E')] as [string, string]
  const both = await Promise.all([link(d, e), link(e, d)])
  t.same(both.map(({ statusCode }) => statusCode).toSorted(), [200, 422])
})

t.test('a source is a record of the project with that version; the link is taken back', async (t) => {
  const [id, source] = [await write('One'), await write('Two')] as [string, string]
  t.match((await link(id, missing)).json(), { status: 400, code: 'invalid_request' })
  const elsewhere = (await makeContent(app, await makeProject(app, 'Elsewhere'))).id
  t.match((await link(id, elsewhere)).json(), { status: 400, code: 'invalid_request' })
  t.match((await link(id, source, { source_version: 7 })).json(), { status: 404 })
  await link(id, source)
  t.match((await link(id, null, {}, { 'if-match': '"r1"' })).json(), { status: 412 })
  t.match((await link(id, null)).json(), { source: null, source_version: null, source_changed: false, changes: null })
  await link(id, source)
  await edit(source, { body_markdown: 'Gone.' })
  await actor(app).remove(`/${source}`)
  t.match(await json(`/${id}/translation`), { source: null, source_changed: false })
})
