import { strToU8 } from 'fflate'
import t from '../tap.js'
import { writeDocx } from '../../bench/corpus/write-docx.js'
import { ApiError } from '../../schemas/errors.js'
import { Extractor } from '../../plugins/extraction.js'
import { buildApp } from '../app.js'
import { actor, makeSession } from '../routes/pse/actors.js'
import { makeDocx, makePdf } from './files.js'

const extract = (data: Uint8Array) => new Extractor().extract({ data, filename: 'a.docx', mediaType: '' })

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const paragraph = '<w:p><w:r><w:t>The door must open.</w:t></w:r></w:p>'

const withBody = (body: string, before = ''): Buffer => makeDocx('', {
  'word/document.xml': strToU8(`${before}<w:document ${namespace}><w:body>${body}</w:body></w:document>`)
})

t.test('a long document loses nothing where it is divided: lists, tables and headings stand', async (t) => {
  const lines = Array.from({ length: 3_000 }, (_, at) => at % 100 === 0
    ? `# Part ${at}`
    : at % 100 === 50 ? `| ID | Text |\n|---|---|\n| R${at} | a b |` : at % 3 === 0 ? `- Item ${at}` : `Line ${at}.`)
  const { text, truncated } = await extract(writeDocx(lines.join('\n')))
  const read = text.split('\n').filter((line) => line !== '')
  t.same(read.map((line) => line.replace(/^-\s+/, '- ')), lines.flatMap((line) => line.split('\n')))
  t.notOk(truncated)
})

t.test('a list is numbered through, and a field ends, wherever the document is divided', async (t) => {
  const field = (type: string): string => `<w:p><w:r><w:fldChar w:fldCharType="${type}"/></w:r></w:p>`
  const { text } = await extract(withBody(
    `${paragraph.repeat(2_500)}${field('begin')}${paragraph.repeat(2_500)}${field('end')}${paragraph.repeat(2_500)}`))
  t.equal(text.match(/The door must open\./g)?.length, 7_500)
})

t.test('a file of Word on the web, whose document has another name, is read', async (t) => {
  const renamed = makeDocx('', {
    'word/document.xml': new Uint8Array(),
    '_rels/.rels': strToU8('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/' +
      'officeDocument" Target="word/document2.xml"/></Relationships>'),
    'word/document2.xml': strToU8(`<w:document ${namespace}><w:body>${paragraph}</w:body></w:document>`)
  })
  t.equal((await extract(renamed)).text, 'The door must open.')
})

t.test('what has too many elements, or too deep ones, is refused with what it has before it is parsed', async (t) => {
  const refused = (data: Uint8Array, message: RegExp, code = 'file_too_complex') =>
    t.rejects(extract(data), { code, message })
  await refused(withBody(paragraph.repeat(200_000)), /more than 39\d{4} elements/)
  await refused(makeDocx('x', { 'word/styles.xml': strToU8(`<w:styles>${'<w:style/>'.repeat(500_000)}</w:styles>`) }),
    /more than 39\d{4} elements/)
  await refused(withBody(`${'<w:tbl><w:tr><w:tc>'.repeat(40)}${'</w:tc></w:tr></w:tbl>'.repeat(40)}`), /in more than 100/)
  await refused(withBody(`<w:tbl>${`<w:tr><w:tc>${paragraph}</w:tc></w:tr>`.repeat(40_000)}</w:tbl>`),
    /a table, list or text with notes of more than 150000 elements/)
  await refused(withBody(`<w:p w:a="${'x'.repeat(70_000)}"/>`), /a tag of more than 65536 bytes/)
  await refused(withBody(paragraph, '<!DOCTYPE w [<!ENTITY a "b">]>'), /declares entities/, 'file_broken')
  await refused(withBody(paragraph, `<!--${' '.repeat(5_000)}--><!DOCTYPE w [<!ENTITY a "b">]>`), /declares entities/,
    'file_broken')
  const entries = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`a/${at}.xml`, new Uint8Array()]))
  await refused(makeDocx('x', entries), /more than 10000 entries/)
})

t.test('a sign in quotation marks, or in a comment ends no tag', async (t) => {
  const marked = '<w:p w:a="1 > 0 /></w:p>"><!-- </w:body> --><w:r><w:t>A lamp.</w:t></w:r></w:p>'
  const { text } = await extract(withBody(`${marked}${paragraph.repeat(3_000)}`))
  t.match(text, /^A lamp\.\n\nThe door must open\./)
  t.equal(text.match(/The door must open\./g)?.length, 3_000)
})

t.test('of a document with more characters than are read, the first are read, and it says so', async (t) => {
  const { text, truncated, left_out } = await extract(withBody(paragraph.repeat(60_000)))
  t.equal(text.length, 1_000_000)
  t.same([truncated, left_out], [true, 'what follows its first 1000000 characters'])
})

t.test('a file that a busy machine gives no time is refused for now: 503, and the next one is read', async (t) => {
  const impatient = new Extractor(1)
  const failed = impatient.extract({ data: makePdf('Doors must open.'), filename: 'a.pdf', mediaType: '' })
  await t.rejects(failed, { code: 'overloaded', statusCode: 503, headers: { 'retry-after': '10' } })
  await t.rejects(failed, ApiError)
  const app = await buildApp(t)
  const { path } = await makeSession(app, 'Lamps must glow.')
  const data = makePdf('Doors must open.').toString('base64')
  const add = () => actor(app).post(`${path}/inputs`, { inputs: [{ kind: 'file', filename: 'a.pdf', data }] })
  const patient = app.extractor.extract
  app.extractor.extract = (task) => impatient.extract(task)
  const refused = await add()
  t.match([refused.statusCode, refused.headers['retry-after'], refused.json()],
    [503, '10', { code: 'overloaded', detail: 'The machine is too busy to read the file' }])
  app.extractor.extract = patient
  t.equal((await add()).statusCode, 201)
})
