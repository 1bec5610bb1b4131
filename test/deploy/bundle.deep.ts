import t from '../tap.js'
import { asAdmin, buildApp, makeEnvironment } from '../app.js'
import { launch } from '../flows/crash-steward.js'
import { makePdf } from '../plugins/files.js'

const app = await buildApp(t)
const steward = launch(t, { ...await makeEnvironment(t), LOG_LEVEL: 'info' })
const url = await steward.listening()

interface Parameter { $ref?: string, required?: boolean }
interface Operation { parameters?: Parameter[], responses: Record<string, { content?: object }> }
interface Api { paths: Record<string, { get?: Operation }>, components: { parameters: Record<string, Parameter> } }
const text = (await app.inject('/openapi.json')).body
// It is our own document.
const { paths, components } = JSON.parse(text) as Api

const isRequired = (parameter: Parameter): boolean =>
  (components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter).required === true

/** What can be read without knowing an id, and ends. */
const readable = Object.entries(paths).filter(([path, { get }]) => get && !path.includes('{') &&
  !get.parameters?.some(isRequired) &&
  !('text/event-stream' in (get.responses[200]?.content ?? {}))).map(([path]) => path)

t.test('the bundle is the same API', async (t) => {
  t.equal(await (await fetch(`${url}/openapi.json`)).text(), text)
})

t.test('the bundle answers every read as the modules do', async (t) => {
  t.ok(readable.length > 25)
  for (const path of [...readable, '/', '/docs/', '/setup', '/setup.js', '/nowhere']) {
    const is = await fetch(url + path, { headers: asAdmin, redirect: 'manual' })
    await is.arrayBuffer()
    const should = await app.inject({ url: path, headers: asAdmin })
    const type = should.headers['content-type'] ?? null
    t.same([is.status, is.headers.get('content-type')], [should.statusCode, type], path)
  }
})

t.test('the bundle finds what lies beside its modules: a document is taken apart in a thread', async (t) => {
  const send = async (path: string, body: object) => {
    const headers = { ...asAdmin, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() as { session_id: string, inputs: object[] } }
  }
  const session = await send('/pse/sessions', { title: 'Lamps', inputs: [{ kind: 'text', text: 'Doors must open.' }] })
  t.equal(session.status, 201)
  const data = makePdf('Lamps must glow.').toString('base64')
  const added = await send(`/pse/sessions/${session.body.session_id}/inputs`,
    { inputs: [{ kind: 'file', filename: 'brief.pdf', media_type: 'application/pdf', data }] })
  t.equal(added.status, 201)
  t.match(added.body.inputs, [{ kind: 'file', content: { pages: 1, chars: 16 } }])
})
