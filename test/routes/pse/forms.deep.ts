import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { encryptedPdf, makeDocx, makePdf } from '../../plugins/files.js'
import { makePerson } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { actor, makeSession } from './actors.js'

const app = await buildApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
const { post, json } = actor(app)

type Part = [name: string, value: string | Blob, filename?: string]

const formOf = (parts: Part[]): FormData => {
  const form = new FormData()
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, filename)
  }
  return form
}
const blob = (data: Buffer | string, type = '') => new Blob([data], { type })
const words = (text: string, filename: string): Part => ['file', blob(text), filename]

/** Sends a form like a browser. */
const send = (path: string, body: FormData | string | Buffer, more: Record<string, string> = {},
  who: Record<string, string> = asAdmin) =>
  fetch(`${app.listeningOrigin}/pse${path}/inputs`, { method: 'POST', body, headers: { ...who, ...more } })

interface Answer { inputs: object[], errors: { pointer: string, code: string }[] }

const upload = async (path: string, ...parts: Part[]) => {
  const answer = await send(path, formOf(parts))
  return { status: answer.status, body: await answer.json() as Answer }
}

t.test('files in a form give the same inputs as files in JSON', async (t) => {
  const files: [string, Buffer, string][] = [
    ['brief.pdf', makePdf('Lamps must glow.'), 'application/pdf'],
    ['Türen.docx', makeDocx('Bells must ring.'), ''],
    ['notes.md', Buffer.from('# Notes\n\nDoors must open at dawn.\n'), 'text/markdown']
  ]
  const byForm = await makeSession(app, 'Doors must open.')
  const parts = files.map(([name, data, type]): Part => ['file', blob(data, type), name])
  const sent = await upload(byForm.path, ...parts, ['label', 'Brief'], ['label', 'Über Türen'])
  t.equal(sent.status, 201)
  t.match(sent.body.inputs, [
    { seq: 2, label: 'Brief', source: { filename: 'brief.pdf', media_type: 'application/pdf' } },
    { seq: 3, label: 'Über Türen', source: { filename: 'Türen.docx' } },
    { seq: 4, label: '', source: { filename: 'notes.md', media_type: 'text/markdown' }, trust: 'external' }
  ])
  const byJson = await makeSession(app, 'Doors must open.')
  const labels = ['Brief', 'Über Türen']
  const inputs = files.map(([filename, data, type], at) => ({
    kind: 'file',
    filename,
    data: data.toString('base64'),
    ...(type && { media_type: type }),
    ...(labels[at] && { label: labels[at] })
  }))
  const given = await post(`${byJson.path}/inputs`, { inputs })
  const plain = (body: Answer) =>
    body.inputs.map((input) => ({ ...input, input_id: '', created_at: '' }))
  t.same(plain(sent.body), plain(given.json()))
})

t.test('an invalid form gets the same error as JSON, with the pointer, and changes nothing', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const before = await json(path)
  const good = words('Lamps must glow.', 'a.txt')
  const many = (count: number) => Array.from({ length: count }, (_, at) => words('Lamps must glow.', `${at}.txt`))
  const long = blob(Buffer.alloc(11 * 1_048_576, 'a'))
  const bad: [string, Part[], number, string, string, string?][] = [
    ['a file that is locked', [good, ['file', blob(encryptedPdf), 'a.pdf']], 422, 'file_encrypted', '/inputs/1/data'],
    ['eleven megabytes', [['file', long, 'a.txt']], 422, 'file_too_large', '/inputs/0/data'],
    ['bytes of no known kind', [['file', blob('\x01\0\x02'), 'a.png']], 422, 'file_type_unsupported', '/inputs/0/data'],
    ['an empty file', [good, words('', 'b.txt')], 422, 'input_empty', '/inputs/1/data', 'input_empty'],
    ['a field named file', [['file', 'Lamps must glow.']], 400, 'invalid_request', '/inputs/0/filename', 'required'],
    ['no field at all', [], 400, 'invalid_request', '/inputs', 'minItems'],
    ['21 files', many(21), 400, 'invalid_request', '/inputs', 'maxItems'],
    ['23 files', many(23), 400, 'invalid_request', '/inputs', 'maxItems'],
    ['another field', [good, ['colour', 'red']], 400, 'unknown_field', '/colour'],
    ['a file in another field', [good, ['brief', blob('x'), 'x.txt']], 400, 'unknown_field', '/brief'],
    ['a prototype', [good, ['__proto__', 'x']], 400, 'unknown_field', '/__proto__'],
    ['inputs beside the files', [good, ['inputs', '[]']], 400, 'invalid_request', '/inputs', 'type'],
    ['a label of nothing', [good, ['label', 'A'], ['label', 'B']], 400, 'invalid_request', '/inputs/1/filename',
      'required'],
    ['a label too long', [good, ['label', '😀'.repeat(400)]], 400, 'invalid_request', '/inputs/0/label', 'maxLength'],
    ['NUL in a label', [good, ['label', 'a\0b']], 400, 'invalid_text', '/inputs/0/label']
  ]
  for (const [name, parts, status, code, pointer, issue = code] of bad) {
    const answer = await upload(path, ...parts)
    t.match(answer, { status, body: { status, code } }, name)
    const pointers = answer.body.errors.map(({ pointer, code }) => `${pointer} ${code}`)
    t.ok(pointers.includes(`${pointer} ${issue}`), `${name}: ${pointers.join()}`)
  }
  t.same(await json(path), before)
})

t.test('a name or label that is not UTF-8 is refused, with the pointer', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const file = (name: string) => Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; ' +
    `filename="${name}.txt"\r\n\r\nLamps must glow.\r\n`, 'latin1')
  const label = Buffer.from('--x\r\nContent-Disposition: form-data; name="label"\r\n\r\nGr\u00fcn\r\n', 'latin1')
  const end = Buffer.from('--x--')
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const [parts, pointer] of [
    [[file('a'), file('T\u00fcr')], '/inputs/1/filename'], [[label, file('a')], '/inputs/0/label']
  ] as const) {
    const answer = await send(path, Buffer.concat([...parts, end]), type)
    t.match([answer.status, await answer.json()], [400, { code: 'not_utf8', errors: [{ pointer, code: 'not_utf8' }] }])
  }
  t.equal((await json(`${path}/inputs`)).items.length, 1)
  t.equal((await send(path, Buffer.concat([file(Buffer.from('Tür').toString('latin1')), end]), type)).status, 201)
})

t.test('a truncated form is refused, wherever it ends', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const whole = '--x\r\nContent-Disposition: form-data; name="label"\r\n\r\nBrief\r\n' +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nLamps must glow.\r\n--x--'
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  for (let end = 1; end < whole.length; end += 8) {
    const answer = await send(path, whole.slice(0, end), type)
    t.match([answer.status, await answer.json()], [400, { code: /^(malformed_form|invalid_request)$/ }], `${end} bytes`)
  }
  for (const given of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=y']) {
    const answer = await send(path, whole, { 'content-type': given })
    t.match([answer.status, await answer.json()], [400, { code: 'malformed_form' }], given)
  }
  t.equal((await json(`${path}/inputs`)).items.length, 1)
  t.equal((await send(path, `${whole}\r\n`, type)).status, 201)
})

t.test('a form above the body limit gets 413; other operations accept no form', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const part: Part = ['file', blob(Buffer.alloc(6 * 1_048_576, 'a')), 'a.txt']
  t.match(await upload(path, part, part, part), { status: 413, body: { code: 'payload_too_large' } })
  const other = await fetch(`${app.listeningOrigin}/pse/sessions`,
    { method: 'POST', body: formOf([words('x', 'a.txt')]), headers: asAdmin })
  t.match([other.status, await other.json()], [415, { code: 'unsupported_media_type' }])
})

t.test('the same form with the same idempotency key is added once; another form is refused', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const key = { 'idempotency-key': randomUUID() }
  const first = await send(path, formOf([words('Lamps must glow.', 'a.txt')]), key)
  const again = await send(path, formOf([words('Lamps must glow.', 'a.txt')]), key)
  t.same([first.status, again.status, again.headers.get('idempotent-replayed')], [201, 201, 'true'])
  t.same(await again.json(), await first.json())
  const other = await send(path, formOf([words('Lamps must be off.', 'a.txt')]), key)
  t.match([other.status, await other.json()], [422, { code: 'idempotency_mismatch' }])
  t.equal((await json(`${path}/inputs`)).items.length, 2)
})

t.test('a viewer may not send a form', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const { headers } = await makePerson(app, 'Vera', 'viewer')
  const answer = await send(path, formOf([words('Lamps must glow.', 'a.txt')]), {}, headers)
  t.match([answer.status, await answer.json()], [403, { code: 'insufficient_role' }])
})
