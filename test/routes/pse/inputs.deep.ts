import http from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { encryptedPdf, makeBomb, makeDocx, makePdf, withoutSecondPage } from '../../plugins/files.js'
import { makePerson } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { actor, generate, makeSession, missing } from './actors.js'

const site = http.createServer((request, response) => {
  if (request.url === '/gone') return response.writeHead(404).end()
  if (request.url === '/away') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Features</h1><p>Doors must open at dawn.</p>')
})
await new Promise<void>((resolve) => { site.listen(0, '127.0.0.1', resolve) })
t.teardown(() => { site.close() })
const { port } = site.address() as AddressInfo
const here = `http://127.0.0.1:${port}`

const app = await buildApp(t, { OUTBOUND_ALLOW: `127.0.0.1:${port}` })
const { get, post, json } = actor(app)

const file = (filename: string, data: Buffer) => ({ kind: 'file', filename, data: data.toString('base64') })
const add = (path: string, ...inputs: object[]) => post(`${path}/inputs`, { inputs })

t.test('a single input may be the whole body; error pointers refer to that body', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const one = await post(`${path}/inputs`, { kind: 'text', label: 'Lamps', text: 'Lamps must glow.' })
  t.match([one.statusCode, one.json().inputs], [201, [{ seq: 2, kind: 'text', label: 'Lamps' }]])
  const listed = await post(`${path}/inputs`, { inputs: [{ kind: 'text', label: 'Bells', text: 'Bells must ring.' }] })
  t.same(Object.keys(one.json()), Object.keys(listed.json()))
  const bad: [object, number, string, string][] = [
    [{ kind: 'text' }, 400, 'invalid_request', '/text'],
    [{ kind: 'text', text: 'x', colour: 'red' }, 400, 'unknown_field', '/colour'],
    [{ kind: 'word', text: 'x' }, 400, 'invalid_request', ''],
    [{ kind: 'file', filename: 'a.md', data: '!' }, 422, 'input_empty', '/data'],
    [{ kind: 'answer', question_id: 'Q-1', text: 'Yes' }, 409, 'no_version', ''],
    [{ kind: 'text', text: 'x', inputs: [{ kind: 'text', text: 'y' }] }, 400, 'unknown_field', '/kind']
  ]
  for (const [body, status, code, pointer] of bad) {
    const answer = (await post(`${path}/inputs`, body)).json()
    t.match(answer, { status, code }, pointer)
    t.notMatch(answer.detail, /inputs\/0/)
    if (pointer !== '') t.ok(answer.errors.some((error: { pointer: string }) => error.pointer === pointer), pointer)
  }
  t.equal((await json(`${path}/inputs`)).items.length, 3)
})

t.test('what was not read of a document is said by its input and by the checks', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  await add(path, file('scan.pdf', withoutSecondPage))
  await add(path, file('long.md', Buffer.from(`The door must ${'close and '.repeat(300)}stay.`)))
  const { items } = await json(`${path}/inputs`)
  t.same(items[1].source, { filename: 'scan.pdf', left_out: 'pages without text, perhaps scans: 2' })
  await generate(app, path)
  const { document, checks } = await json(`${path}/versions/1`)
  t.match(checks.findings.filter((one: { rule_id: string }) => one.rule_id === 'PSE307'), [{
    severity: 'warn', message: 'scan.pdf was not read in whole; left out: pages without text, perhaps scans: 2'
  }])
  t.match(document.not_taken, [{ class: 'undecided', why: 'It is longer than 2000 characters: divide it' }])
})

t.test('ten thousand demands: the spec lists what it may, and says how many are left', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const parts = Array.from({ length: 10_000 }, (_, at) => `## Heading ${at}\n\nThe part ${at} must work.\n`)
  await add(path, file('headings.md', Buffer.from(parts.join('\n'))))
  await generate(app, path)
  const { document, checks } = await json(`${path}/versions/1`)
  t.same([document.requirements.length, document.not_taken.length, checks.coverage.undecided], [500, 100, 9_501])
  t.match(document.not_taken.at(-1).why, 'No requirement of the spec cites it')
  t.same(document.not_taken_more, [{ class: 'undecided', count: 9_401 }])
})

t.test('what an input says again and again is one requirement, which says how often', async (t) => {
  const pair = 'Doors must open.\n\nToday the door creaks.\n\n'
  const { path } = await makeSession(app, pair.repeat(1_000) +
    'Not all Doors must open.\n\n- Doors must\n  open.\n\n# Success\n\n' + '95 % of the doors open.\n\n'.repeat(30))
  await generate(app, path)
  const { document, checks } = await json(`${path}/versions/1`)
  const [first] = document.requirements
  t.same([first.statement, first.citations.length, first.repeats], ['Doors must open.', 21, 980])
  const aside = document.not_taken.filter((one: { quote: string }) => one.quote.startsWith('Today'))
  t.same([aside.length, aside[0].repeats, aside[1].repeats], [20, 980, undefined])
  t.match(document.success_criteria, [{ metric: '95 % of the doors open.' }])
  t.equal(document.success_criteria.length, 1)
  t.match(checks.coverage, { sentences: 2_032, taken: 1_032, undecided: 1_000 })
  t.ok(JSON.stringify(document).length < 40_000, 'the document stays small')
  const { payload } = await get(`${path}/export?layout=markdown`)
  t.equal(payload.split('The same words stand 980 more times in the inputs.').length, 3)
})

t.test('a citation names a file without a label by its name', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  await add(path, file('lamps.md', Buffer.from('# Lamps\n\nLamps must glow.\n\nToday lamps creak.')))
  await generate(app, path)
  const { document } = await json(`${path}/versions/1`)
  t.same(document.requirements.map((one: { citations: { location: string }[] }) => one.citations[0]?.location),
    ['Brief', 'lamps.md › Lamps'])
  t.match(document.not_taken, [{ location: 'lamps.md › Lamps › line 5' }])
})

t.test('an input is stored with its text, hash and chunks', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.')
  const { items, next_cursor: next } = await json(`${path}/inputs`)
  t.same([items, next], [[{
    input_id: items[0].input_id,
    seq: 1,
    kind: 'text',
    label: 'Brief',
    source: {},
    trust: 'user',
    status: 'ready',
    content: {
      media_type: 'text/markdown',
      bytes: 28,
      chars: 28,
      sha256: items[0].content.sha256,
      token_estimate: 7,
      truncated: false,
      pages: null,
      chunks: 1
    },
    created_by: app.home.admin_id,
    created_at: items[0].created_at
  }], null])
  const read = await json(`${path}/inputs/${items[0].input_id}?offset=12&length=5`)
  t.same(read, { ...items[0], text: 'Doors', next_offset: 17 })
  t.equal((await json(`/sessions/${id}`)).inputs, 1)
})

t.test('the text of files and addresses is extracted; the same source again supersedes the input', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const files = [file('a.pdf', makePdf('Lamps must glow.')), file('b.docx', makeDocx('Bells must ring.'))]
  const added = await add(path, ...files, { kind: 'url', url: `${here}/page` })
  t.equal(added.statusCode, 201)
  t.match(added.json().inputs, [
    { seq: 2, kind: 'file', trust: 'external', source: { filename: 'a.pdf' }, content: { pages: 1, chars: 16 } },
    { seq: 3, kind: 'file', content: { media_type: 'text/markdown' } },
    { seq: 4, kind: 'url', source: { final_url: `${here}/page`, http_status: 200 } }
  ])
  const { spec } = await generate(app, path)
  t.same(spec.document.requirements.map(({ statement }: { statement: string }) => statement),
    ['Doors must open.', 'Lamps must glow.', 'Bells must ring.', 'Doors must open at dawn.'])
  t.equal((await json(path)).stale, false)
  await add(path, file('a.pdf', makePdf('Lamps must be off.')))
  t.same((await json(`${path}/inputs`)).items.map(({ status }: { status: string }) => status),
    ['ready', 'superseded', 'ready', 'ready', 'ready'])
  t.equal((await json(path)).stale, true)
})

t.test('invalid inputs are refused with their pointer and change nothing', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const before = await json(path)
  const bad: [object, number, string, string][] = [
    [file('a.pdf', encryptedPdf), 422, 'file_encrypted', '/inputs/1/data'],
    [file('a.pdf', Buffer.from('%PDF-1.7 cut')), 422, 'file_broken', '/inputs/1/data'],
    [file('a.docx', makeBomb()), 422, 'file_unpacks_too_large', '/inputs/1/data'],
    [file('a.png', Buffer.from([1, 0, 2])), 422, 'file_type_unsupported', '/inputs/1/data'],
    [file('a.adoc', Buffer.from('= A\n\nDoors must open.')), 422, 'file_type_unsupported', '/inputs/1/data'],
    [file('a.sdoc', Buffer.from('[DOCUMENT]')), 422, 'file_type_unsupported', '/inputs/1/data'],
    [file('a.xml', Buffer.from('<?xml version="1.0"?>\n<REQ-IF/>')), 422, 'file_type_unsupported', '/inputs/1/data'],
    [file('REQ001.yml', Buffer.from('active: true\nnormative: true\ntext: |\n  Doors must open.\n')), 422,
      'file_type_unsupported', '/inputs/1/data'],
    [file('a.txt', Buffer.alloc(11 * 1_048_576, 'a')), 422, 'file_too_large', '/inputs/1/data'],
    [{ kind: 'url', url: 'http://169.254.169.254/latest' }, 422, 'url_not_allowed', '/inputs/1/url'],
    [{ kind: 'url', url: 'http://localhost:1/' }, 422, 'url_not_allowed', '/inputs/1/url'],
    [{ kind: 'url', url: `${here}/away` }, 422, 'url_not_allowed', '/inputs/1/url'],
    [{ kind: 'url', url: `${here}/gone` }, 422, 'url_refused', '/inputs/1/url'],
    [{ kind: 'spec', session_id: missing }, 404, 'not_found', '/inputs/1/session_id'],
    [{ kind: 'repo_file', repo_id: '999999', path: 'README.md' }, 404, 'repo_not_found', '/inputs/1/path']
  ]
  for (const [input, status, code, pointer] of bad) {
    const answer = await add(path, { kind: 'text', text: 'Lamps must glow.' }, input)
    t.match(answer.json(), { status, code, errors: [{ pointer, code }] }, code)
  }
  t.match((await add(path, { kind: 'text', text: '  ' })).json(), { status: 400, code: 'invalid_request' })
  t.match((await add(path, { kind: 'text', text: 'a\0b' })).json(), { status: 400, code: 'invalid_text' })
  t.match((await add(path, { kind: 'rumour', text: 'x' })).json(), { status: 400 })
  t.same(await json(path), before)
})

t.test('repository files are read with the calling person\'s connection', async (t) => {
  const { items } = (await app.inject({ url: '/codehost/repos', headers: asAdmin })).json()
  const { path } = await makeSession(app, 'Doors must open.')
  const repo_id = items.find(({ full_name: name }: { full_name: string }) => name === 'larkspur/web').id
  const added = await add(path, { kind: 'repo_file', repo_id, path: 'README.md' })
  t.match(added.json(), { inputs: [{ kind: 'repo_file', trust: 'external', source: { repo_id, path: 'README.md' } }] })
  const other = await makePerson(app, 'Otto', 'member')
  const refused = await actor(app, other.headers).post(`${path}/inputs`,
    { inputs: [{ kind: 'repo_file', repo_id, path: 'README.md' }] })
  t.match(refused.json(), { status: 409, code: 'codehost_not_connected' })
})

t.test('the number and the total text of a session\'s inputs are limited', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const long = { kind: 'text', text: 'a'.repeat(200_000) }
  const some = await add(path, ...Array.from({ length: 9 }, () => long))
  t.equal(some.statusCode, 201)
  t.match((await add(path, long)).json(), { status: 422, code: 'inputs_too_long' })
  for (let at = 0; at < 4; at++) await add(path, ...Array.from({ length: 20 }, () => ({ kind: 'text', text: 'a' })))
  t.match((await add(path, ...Array.from({ length: 20 }, () => ({ kind: 'text', text: 'a' })))).json(),
    { status: 422, code: 'too_many_inputs' })
})

t.test('a viewer may read and not add inputs; an unknown session is not found', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const viewer = actor(app, (await makePerson(app, 'Vera', 'viewer')).headers)
  t.equal((await viewer.get(`${path}/inputs`)).statusCode, 200)
  t.match((await viewer.post(`${path}/inputs`, { inputs: [{ kind: 'text', text: 'x' }] })).json(),
    { status: 403, code: 'insufficient_role' })
  const none = { inputs: [{ kind: 'text', text: 'x' }] }
  t.match((await post(`/sessions/${missing}/inputs`, none)).json(), { status: 404, code: 'not_found' })
  t.equal((await get(`/sessions/${missing}/inputs`)).statusCode, 404)
  t.equal((await get(`${path}/inputs/${missing}`)).statusCode, 404)
  t.equal((await app.inject({ url: `/pse${path}/inputs` })).statusCode, 401)
})
